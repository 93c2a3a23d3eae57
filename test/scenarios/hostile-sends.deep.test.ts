import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AddressObject, simpleParser } from 'mailparser';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';

const RUNS = process.env['POSTROOM_FULL'] ? 2_000 : 40;
/** Below what a workspace may ask in a minute. */
const RUNS_OF_ONE = 900;

let sink: MailSink;
let stack: TestStack;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
});

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'a\r\nBcc: evil@x.example',
    '=?utf-8?q?=0D=0ABcc:_evil@x.example?=',
    '"x" <evil@x.example>, ',
    'x\u2028Bcc: evil@x.example',
    'group: evil@x.example;',
    `${'word'.repeat(240)}`,
  ),
);
const HEADERS = ['from', 'to', 'cc', 'subject', 'message-id', 'date', 'mime-version', 'content-type'];
const KNOWN = new Set([...HEADERS, 'content-transfer-encoding', 'x-postroom-operation']);
const addresses = (found: AddressObject | AddressObject[] | undefined) =>
  [found ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address));

it(`${RUNS} messages whose subjects and names want to be more: they leave with the recipients and headers asked for`, async () => {
  let [sent, refused] = [0, 0];
  let workspace = await stack.workspace();
  let mailbox = await workspace.connectMailbox({ name: 'Ann' });
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, async (subject, name, text) => {
      if ((sent + refused) % RUNS_OF_ONE === RUNS_OF_ONE - 1) {
        workspace = await stack.workspace();
        mailbox = await workspace.connectMailbox({ name: 'Ann' });
      }
      const people = { to: [{ email: 'bob@other.example', name }], cc: [{ email: 'cy@other.example', name: subject }] };
      const body = { mailboxId: mailbox.id, ...people, subject, body: { text: text || 'x' } };
      const before = sink.caught.length;
      const { status } = await workspace.send.post('/drafts/send', body);
      // Input with control characters gets 400; the service does not clean it up.
      expect([200, 400]).toContain(status);
      expect(sink.caught).toHaveLength(before + (status === 200 ? 1 : 0));
      if (status !== 200) return void (refused += 1);
      sent += 1;
      const caught = sink.caught.at(-1);
      expect([caught?.from, caught?.to]).toEqual([mailbox.email, ['bob@other.example', 'cy@other.example']]);
      const parsed = await simpleParser(caught?.raw ?? '');
      expect([addresses(parsed.to), addresses(parsed.cc)]).toEqual([['bob@other.example'], ['cy@other.example']]);
      expect([addresses(parsed.from), parsed.bcc]).toEqual([[mailbox.email], undefined]);
      const names = parsed.headerLines.map(({ key }) => key);
      expect(names.filter((key) => !KNOWN.has(key))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(sent, refused)).toBeGreaterThan(RUNS / 40);
}, 1_200_000);
