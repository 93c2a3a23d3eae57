import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailParts } from '../support/email-document.ts';
import { minute, putEmails, queryOf } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const put = (...emails: EmailParts[]) =>
  putEmails(
    stack,
    workspace.id,
    emails.map((parts, position) => ({ date: minute(position), ...parts })),
  );
const search = (parameters: Record<string, unknown>) => workspace.read.get(`/emails/search?${queryOf(parameters)}`);
async function found(q: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { status, body } = await search({ q, ...more });
  expect(status).toBe(200);
  return body.items.map(({ subject }: { subject: string }) => subject);
}

describe('GET /emails/search', () => {
  it('200 with subject and people before text, and by date within each', async () => {
    await put(
      { subject: 'report old' },
      { subject: 'in the text', text: 'the report' },
      { subject: 'from Report', from: { email: 'a@b.c', name: 'Report Bot' } },
      { subject: 'in the text later', text: 'a report' },
      { subject: 'nothing' },
    );
    expect(await found('Report')).toEqual(['from Report', 'report old', 'in the text later', 'in the text']);
  });

  it('200 with all terms joined by and, those of the subject and of the text together', async () => {
    await put(
      { subject: 'alpha beta' },
      { subject: 'alpha', text: 'beta' },
      { subject: 'gamma', text: 'beta alpha' },
      { subject: 'alpha' },
    );
    expect(await found('beta alpha')).toEqual(['alpha beta', 'gamma', 'alpha']);
    expect(await found('alpha -beta')).toHaveLength(3);
    expect(await found('"alpha beta" OR gamma')).toEqual([]);
  });

  it('200 ignoring case and accents in every script, and finding parts of a phrase without spaces', async () => {
    await put(
      { subject: 'Café' },
      { subject: 'Привет Мир' },
      { subject: '請求書を送ります' },
      { subject: 'party 🎉🎉' },
      { subject: 'ΟΔΟΣ' },
    );
    expect(await found('CAFE')).toEqual(['Café']);
    expect(await found('café')).toEqual(['Café']);
    expect(await found('мир ПРИВЕТ')).toEqual(['Привет Мир']);
    expect(await found('請求')).toEqual(['請求書を送ります']);
    expect(await found('求書を')).toEqual(['請求書を送ります']);
    expect(await found('書請')).toEqual([]);
    expect(await found('🎉 party')).toEqual(['party 🎉🎉']);
    expect(await found('οδος')).toEqual(['ΟΔΟΣ']);
  });

  it('200 with what people write otherwise, and with parts of phrases that share signs with other scripts', async () => {
    await put({ subject: 'Straßenfest' }, { subject: '日本語のメールです' }, { subject: 'ຂໍຂອບໃຈຫຼາຍ' });
    expect(await found('strassenfest')).toEqual(['Straßenfest']);
    expect(await found('STRAẞENFEST')).toEqual(['Straßenfest']);
    expect(await found('メール')).toEqual(['日本語のメールです']);
    expect(await found('ຂອບໃຈ')).toEqual(['ຂໍຂອບໃຈຫຼາຍ']);
  });

  it('200 with nothing for a question that holds no word, and no term is a pattern or an operator', async () => {
    await put({ subject: 'hello' }, { subject: '$gt' });
    for (const q of ['.*', '--', '$$', '^h', '{}', '" "', '%%']) expect([q, await found(q)]).toEqual([q, []]);
    expect(await found('hel*')).toEqual([]);
    expect(await found('$gt')).toEqual(['$gt']);
  });

  it('200 narrowed by mailbox and folder', async () => {
    await put({ subject: 'one word', mailboxId: 'mbx_1' }, { subject: 'two word', folderType: 'SENT' });
    expect(await found('word', { mailboxId: 'mbx_1' })).toEqual(['one word']);
    expect(await found('word', { folderType: 'SENT' })).toEqual(['two word']);
    expect(await found('word', { folderType: 'SENT', mailboxId: 'mbx_1' })).toEqual([]);
  });

  it('200 page by page through both tiers, each email once, wherever a page ends', async () => {
    const parts = (n: number) =>
      n % 3 === 0 ? { subject: `needle ${n}` } : { subject: `${n}`, text: n % 3 === 1 ? 'needle' : '' };
    await put(...Array.from({ length: 30 }, (_, n) => parts(n)));
    const whole = await found('needle');
    expect(whole).toHaveLength(20);
    expect(whole.slice(0, 10).every((subject) => subject.startsWith('needle'))).toBe(true);
    for (const limit of [1, 3, 5, 10, 19]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await search({ q: 'needle', limit, ...(cursor && { cursor }) });
        seen.push(...body.items.map(({ subject }: { subject: string }) => subject));
        expect(body.hasMore).toBe(body.nextCursor !== null);
        cursor = body.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual(whole);
    }
  });

  it('400 VALIDATION_FAILED without q, with one character and with more than 200', async () => {
    for (const parameters of [
      {},
      { q: '' },
      { q: 'a' },
      { q: '🎉' },
      { q: 'x'.repeat(201) },
      { q: 'ok', folderType: 'ALL' },
    ]) {
      expect(await search(parameters)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
    expect((await search({ q: '🎉'.repeat(200) })).status).toBe(200);
  });

  it('400 VALIDATION_FAILED for the cursor of another question', async () => {
    await put({ subject: 'needle a' }, { subject: 'needle b' });
    const { nextCursor } = (await search({ q: 'needle', limit: 1 })).body;
    expect((await search({ q: 'needle', cursor: nextCursor })).status).toBe(200);
    const answer = await search({ q: 'other', cursor: nextCursor });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: { cursor: [expect.any(String)] } },
    });
  });

  it('200 without an email of another workspace', async () => {
    await put({ subject: 'secret' });
    const other = await stack.workspace();
    expect((await other.read.get('/emails/search?q=secret')).body.items).toEqual([]);
  });
});
