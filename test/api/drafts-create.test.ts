import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
let mailbox: Awaited<ReturnType<TestWorkspace['connectMailbox']>>;
beforeAll(async () => {
  workspace = await stack.workspace();
  mailbox = await workspace.connectMailbox({ name: 'Ann Lee', aliases: ['sales@example.com'] });
});

const to = [{ email: 'bob@other.example', name: 'Bob' }];
const draft = (extra: object = {}) => ({ mailboxId: mailbox.id, to, body: { text: 'Dear Bob' }, ...extra });
const create = (extra: object = {}, headers = {}) => workspace.write.post('/drafts', draft(extra), { headers });
const sign = (name: string, options: object = {}) =>
  stack.workspaces.createSignature(
    { workspaceId: workspace.id, name, html: `<p>${name}</p>`, isDefault: false, ...options },
    {},
  );

describe('POST /drafts', () => {
  it('201 with the draft as it can be read, among the drafts of its mailbox', async () => {
    const answer = await create({
      cc: [{ email: 'cy@other.example', name: null }],
      bcc: [{ email: 'di@other.example' }],
      subject: 'Übung: 日本語 🎉',
      body: { html: '<p>Dear <b>Bob</b></p><script>x()</script>' },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        draft: {
          mailboxId: mailbox.id,
          from: { email: mailbox.email, name: 'Ann Lee' },
          to,
          cc: [{ email: 'cy@other.example', name: null }],
          bcc: [{ email: 'di@other.example', name: null }],
          subject: 'Übung: 日本語 🎉',
          snippet: 'Dear Bob',
          isDraft: true,
          isRead: true,
          source: 'api',
          ruleId: null,
          signature: null,
          scheduledSendAt: null,
          scheduledStatus: null,
          waitingForReply: false,
        },
      },
    });
    const { draft: made } = answer.body;
    expect(made.body.html).toContain('<b>Bob</b>');
    expect(made.body.html).not.toContain('script');
    expect(made.body.text).toContain('Dear Bob');
    expect((await workspace.read.get(`/drafts/${made.id}`)).body.draft).toEqual(made);
    const listed = await workspace.read.get(`/emails?folderType=DRAFTS&mailboxId=${mailbox.id}`);
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toContain(made.id);
  });

  it.each([
    ['the text, whatever the html and the signature say', { text: 'Dear Bob', html: '<p>Other?</p>' }, 'Dear Bob'],
    ['the html alone, and not the signature', { html: '<p>Dear <a href="https://x.example">Bob</a></p>' }, 'Dear Bob'],
    ['the html where the text is empty', { text: ' ', html: '<p>Dear Bob</p>' }, 'Dear Bob'],
  ])('201 with a snippet of %s', async (_what, body, snippet) => {
    const signature = (await sign('Shall we talk?')).id;
    const { draft: made } = (await create({ body, signature })).body;
    expect(made).toMatchObject({ snippet });
    const listed = await workspace.read.get(`/emails?folderType=DRAFTS&mailboxId=${mailbox.id}`);
    expect(listed.body.items).toContainEqual(expect.objectContaining({ id: made.id, snippet }));
  });

  it('201 in the thread of the email that it answers, with the references of its conversation', async () => {
    const first = { messageId: '<a1@x.example>', subject: 'Question' };
    const second = { messageId: '<a2@x.example>', inReplyTo: '<a1@x.example>', references: ['<a1@x.example>'] };
    const [id] = await workspace.ingest(mailbox.id, [first, second]);
    const { threadId } = (await workspace.read.get(`/emails/${id}`)).body.email;
    const { draft: made } = (await create({ inReplyTo: '<a2@x.example>' })).body;
    expect(made).toMatchObject({
      threadId,
      inReplyTo: '<a2@x.example>',
      references: ['<a1@x.example>', '<a2@x.example>'],
    });
  });

  it('201 signed by the signature named, by the default one, or by none', async () => {
    const named = await sign('Ann, by name');
    const byDefault = await sign('Ann, by default', { isDefault: true, mailboxId: mailbox.id });
    const signed = async (extra: object) => (await create(extra)).body.draft;
    expect(await signed({ signature: named.id })).toMatchObject({ signature: named.id });
    expect((await signed({})).body.text).toContain('Ann, by default');
    expect(await signed({})).toMatchObject({ signature: byDefault.id });
    expect(await signed({ signature: null })).toMatchObject({ signature: null, body: { text: 'Dear Bob\n' } });
  });

  it('201 from an alias that was verified', async () => {
    expect((await create({ from: 'Sales@example.com' })).body.draft.from.email).toBe('sales@example.com');
  });

  it('400 INVALID_SENDER_ALIAS for an address that is none of the mailbox', async () => {
    expect(await create({ from: 'boss@example.com' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SENDER_ALIAS' },
    });
  });

  it('404 MAILBOX_NOT_FOUND for an unknown and a foreign mailbox', async () => {
    const foreign = await (await stack.workspace()).connectMailbox();
    for (const mailboxId of ['mbx_never', foreign.id]) {
      expect(await create({ mailboxId })).toMatchObject({ status: 404, body: { code: 'MAILBOX_NOT_FOUND' } });
    }
  });

  it('400 MAILBOX_INACTIVE for a mailbox that is disconnected', async () => {
    const asleep = await workspace.connectMailbox();
    await stack.workspaces.disconnectMailbox({ mailboxId: asleep.id }, {});
    expect(await create({ mailboxId: asleep.id })).toMatchObject({ status: 400, body: { code: 'MAILBOX_INACTIVE' } });
  });

  it.each([
    ['no recipient', { to: [] }, 'to'],
    ['101 recipients', { to: Array.from({ length: 101 }, (_, n) => ({ email: `a${n}@x.example` })) }, 'to'],
    ['two recipients in one', { to: [{ email: 'a@x.example, b@x.example' }] }, 'to[0].email'],
    ['a header in an address', { cc: [{ email: 'a@x.example\r\nBcc: e@x.example' }] }, 'cc[0].email'],
    ['a header in a name', { bcc: [{ email: 'a@x.example', name: 'A\r\nX: y' }] }, 'bcc[0].name'],
    ['a header in the subject', { subject: 'Hi\nBcc: e@x.example' }, 'subject'],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }, 'subject'],
    ['a header in inReplyTo', { inReplyTo: '<a@x>\r\nBcc: e@x.example' }, 'inReplyTo'],
    ['a reference that is no id', { references: ['<a b>'] }, 'references[0]'],
    ['no body', { body: {} }, 'body'],
    ['half a character', { body: { text: 'x\ud800' } }, 'body.text'],
    ['a signature that nobody has', { signature: 'sig_never' }, 'signature'],
    ['a sender that is no address', { from: 'Ann <ann@x.example>' }, 'from'],
    ['an encoded word in a name', { to: [{ email: 'b@x.example', name: '=?utf-8?q?Ann?=' }] }, 'to[0].name'],
    ['an encoded word in the subject', { subject: 'Re: =?utf-8?b?QW5u?=' }, 'subject'],
    ['an encoded word in the id that it answers', { inReplyTo: '<=?utf-8?q?a?=@x.example>' }, 'inReplyTo'],
  ])('400 VALIDATION_FAILED for %s', async (_what, extra, field) => {
    const answer = await create(extra);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toEqual([field]);
  });

  it('one draft for one key, however often it is asked for, and 409 CONFLICT with another body', async () => {
    const headers = { 'Idempotency-Key': 'draft-1' };
    const before = (await workspace.read.get('/drafts?limit=200')).body.items.length;
    const first = await create({ subject: 'Once' }, headers);
    expect((await create({ subject: 'Once' }, headers)).body).toEqual(first.body);
    expect(await create({ subject: 'Twice' }, headers)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await workspace.read.get('/drafts?limit=200')).body.items).toHaveLength(before + 1);
  });
});
