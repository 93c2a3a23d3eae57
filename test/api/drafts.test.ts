import { describe, expect, it } from '@jest/globals';
import type { Json } from '../support/client.ts';
import { minute, putEmails } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

const draft = { isDraft: true, folderType: 'DRAFTS' as const };

describe('GET /drafts', () => {
  it('200 with drafts alone, newest first, up to the limit and without pages', async () => {
    const workspace = await stack.workspace();
    await putEmails(stack, workspace.id, [
      { ...draft, subject: 'first', date: minute(1) },
      { ...draft, subject: 'second', date: minute(2) },
      { subject: 'no draft' },
      { isDraft: true, folderType: 'TRASH', subject: 'thrown away' },
    ]);
    const subjects = async (path: string) =>
      (await workspace.read.get(path)).body.items.map(({ subject }: { subject: string }) => subject);
    expect(await subjects('/drafts')).toEqual(['second', 'first']);
    expect(await subjects('/drafts?limit=1')).toEqual(['second']);
    expect(await subjects('/drafts?limit=0')).toHaveLength(2);
    expect(Object.keys((await workspace.read.get('/drafts')).body)).toEqual(['items']);
  });

  it('200 in the order of their making, also within one second and after an edit, whatever the limit', async () => {
    const workspace = await stack.workspace();
    const second = minute(5).getTime();
    const made = (ms: number, more: object = {}) => ({
      ...draft,
      date: new Date(second),
      draft: {
        source: 'api' as const,
        ruleId: null,
        signature: null,
        createdAt: new Date(second + ms),
        updatedAt: new Date(second + ms),
      },
      subject: `${ms}`,
      ...more,
    });
    await putEmails(stack, workspace.id, [
      ...[300, 700, 100, 800, 600, 200, 500, 400].map((ms) => made(ms)),
      made(50, { date: minute(9), subject: 'edited' }),
      { ...draft, draft: null, date: minute(6), subject: 'of another client' },
    ]);
    const subjects = async (limit: number) =>
      (await workspace.read.get(`/drafts?limit=${limit}`)).body.items.map(
        ({ subject }: { subject: string }) => subject,
      );
    const all = ['of another client', '800', '700', '600', '500', '400', '300', '200', '100', 'edited'];
    for (const limit of [1, 3, 10]) expect(await subjects(limit)).toEqual(all.slice(0, limit));
  });

  it('200 with the bodies of the newest up to 2 MB in all; the others are in the single draft', async () => {
    const workspace = await stack.workspace();
    const drafts = await putEmails(
      stack,
      workspace.id,
      Array.from({ length: 9 }, (_, n) => ({ ...draft, date: minute(n) })),
    );
    const html = `<p>${'word '.repeat(100_000)}</p>`;
    const bodies = drafts.map(({ _id, workspaceId, mailboxId }, n) => {
      const content = n === 0 ? { html: null, text: 'short' } : { html, text: null };
      return { _id, workspaceId, mailboxId, ...content, createdAt: minute(n) };
    });
    await stack.collections.bodies.collection.insertMany(bodies as never[]);
    const { items } = (await workspace.read.get('/drafts')).body;
    const shown = items.map(({ body }: Json) => body.html?.length ?? body.text);
    expect(shown).toEqual([...Array.from({ length: 4 }, () => html.length), null, null, null, null, 'short']);
    const single = await workspace.read.get(`/drafts/${items[5].id}`);
    expect(single.body.draft.body.html).toHaveLength(html.length);
  });

  it('200 with a draft from the provider as one without rule or signature', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [id] = await workspace.ingest(mailbox.id, [
      { folderType: 'DRAFTS', subject: 'Unsent', text: 'Dear', date: minute(0) },
    ]);
    const { items } = (await workspace.read.get('/drafts')).body;
    const { email } = (await workspace.read.get(`/emails/${id}`)).body;
    expect(items).toEqual([
      {
        ...email,
        isDraft: true,
        body: { html: null, text: expect.stringContaining('Dear') },
        signature: null,
        source: 'api',
        ruleId: null,
        createdAt: '2026-03-01T00:00:00.000Z',
        updatedAt: '2026-03-01T00:00:00.000Z',
      },
    ]);
  });
});

describe('GET /drafts/{draftId}', () => {
  it('200 with html that is cleaned as that of emails is, here and in the list', async () => {
    const workspace = await stack.workspace();
    const html = '<p onclick="x()">Dear</p><script>alert(1)</script><img src="http://track.example/p">';
    const mailbox = await workspace.connectMailbox();
    const long = `${html}${'<p>and</p>'.repeat(2_000)}`;
    const drafts = [html, long].map((content, n) => ({
      folderType: 'DRAFTS' as const,
      html: content,
      date: minute(n),
    }));
    const ids = await workspace.ingest(mailbox.id, drafts);
    const shown = ids.map(async (id) => (await workspace.read.get(`/drafts/${id}`)).body.draft.body.html.trim());
    const listed = (await workspace.read.get('/drafts')).body.items.toReversed();
    for (const htmls of [await Promise.all(shown), listed.map((draft: Json) => draft.body.html.trim())]) {
      expect(htmls).toEqual(['<p>Dear</p>', `<p>Dear</p>${'<p>and</p>'.repeat(2_000)}`]);
    }
  });

  it('200 with its body, signature, source and rule', async () => {
    const workspace = await stack.workspace();
    const made = {
      source: 'auto_draft' as const,
      ruleId: 'rul_1',
      signature: 'sig_1',
      createdAt: minute(1),
      updatedAt: minute(2),
    };
    const [email] = await putEmails(stack, workspace.id, [{ ...draft, draft: made }]);
    await stack.collections.bodies.create([
      {
        _id: email?._id,
        workspaceId: workspace.id,
        mailboxId: 'mbx_test',
        html: '<p>Hi</p>',
        text: 'Hi',
        createdAt: minute(1),
      },
    ]);
    const answer = await workspace.read.get(`/drafts/${email?._id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        draft: {
          id: email?._id,
          body: { html: '<p>Hi</p>', text: 'Hi' },
          signature: 'sig_1',
          source: 'auto_draft',
          ruleId: 'rul_1',
          createdAt: minute(1).toISOString(),
          updatedAt: minute(2).toISOString(),
        },
      },
    });
  });

  it('404 DRAFT_NOT_FOUND for an unknown id, an email that is no draft and a foreign draft', async () => {
    const workspace = await stack.workspace();
    const [email, foreign] = await putEmails(stack, workspace.id, [{}, draft]);
    const other = await stack.workspace();
    const unknown = await workspace.read.get('/drafts/eml_never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'DRAFT_NOT_FOUND' } });
    expect((await workspace.read.get(`/drafts/${email?._id}`)).body).toEqual(unknown.body);
    expect((await other.read.get(`/drafts/${foreign?._id}`)).body).toEqual(unknown.body);
  });
});
