import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { rawMessage } from '../support/message.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let model: FakeModel;
let stack: TestStack;
beforeAll(async () => {
  model = await startFakeModel(({ rules, email: { subject } }) =>
    rules.map(({ rule_id }) => ({ rule_id, applies: subject.includes('invoice'), confidence: 99, reason: 'so' })),
  );
  stack = await startStack({ variables: { LLM_BASE_URL: model.baseUrl } });
});
afterAll(async () => {
  await stack.close();
  await model.close();
});

const MEGABYTE = 1024 * 1024;
/** More than a model is ever asked about in one prompt: 3,000 tokens of four letters, their escapes and the rest. */
const LONGEST_PROMPT = 40_000;

const mixed = (...parts: string[]) => ({
  headers: { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary="b"' },
  text: `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--`,
});
const plainPart = 'Content-Type: text/plain\r\n\r\nIt is due.';
const nested = (depth: number): string => {
  const open = (level: number) => `Content-Type: multipart/mixed; boundary="n${level}"\r\n\r\n--n${level}\r\n`;
  return `${Array.from({ length: depth }, (_, level) => open(level)).join('')}${plainPart}`;
};

/** Made when their turn comes: a test's name is made from all of its arguments. */
const mails: [string, () => object][] = [
  [
    'with 25 MB attached',
    () =>
      mixed(
        plainPart,
        `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(336_000)}`,
      ),
  ],
  ['of 1,900 parts', () => mixed(...Array.from({ length: 1_900 }, () => plainPart))],
  ['nested 45 deep', () => mixed(nested(45))],
  ['of megabytes of text in one line', () => ({ text: 'word '.repeat(MEGABYTE) })],
  ['of megabytes of characters without width', () => ({ text: `${'\u200b\u200d'.repeat(MEGABYTE / 2)}It is due.` })],
  ['of other scripts and emoji alone', () => ({ text: '\u8acb\u6c42\u{1f9fe}'.repeat(MEGABYTE / 4) })],
  ['of html without an end', () => ({ html: `<p>It is due.${'<div><b style="color:#fff">'.repeat(100_000)}` })],
  ['of one comment', () => ({ html: `<p>It is due.<!--${'-'.repeat(4 * MEGABYTE)}` })],
];

describe('mail larger than anybody writes', () => {
  it.each(mails)('%s is classified, asked about once and in a bounded prompt', async (what, parts) => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    await workspace.write.post('/ai-label-rules', { name: 'Bills', color: 'Pink', condition: 'is an invoice' });
    const subject = `An invoice ${what}`;
    const message = rawMessage({ subject, ...parts() });
    const { outcomes } = await stack.mailboxWrite.ingest(
      { mailboxId: mailbox.id, messages: [message] },
      { workspaceId: workspace.id, deadline: Date.now() + 60_000 },
    );
    expect(outcomes).toMatchObject([{ outcome: 'stored' }]);
    const id = outcomes[0]?.emailId ?? '';
    await eventually(async () => {
      const { items } = (await workspace.read.get('/emails?limit=5')).body;
      expect(items).toMatchObject([{ id, tags: [{ name: 'Bills' }] }]);
    });
    const asked = model.prompts.filter((prompt) => prompt.includes(subject));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.length).toBeLessThan(LONGEST_PROMPT);
  });
});
