import { describe, expect, it } from '@jest/globals';
import type { ThreadEmailAnswer } from '@postroom/app/answers';
import { eventually } from '../engines/eventually.ts';
import type { AppPeople } from '../support/app-client.ts';
import { openGmail } from '../support/gmail.ts';
import { openMailSink } from '../support/mail-sink.ts';
import { mailWithParts, type MailPart, PNG_DOT } from '../support/mail-with-parts.ts';
import type { TestStack } from '../support/stack.ts';

const SCRIPT = Buffer.from('<script>x()</script>');
const PDF = Buffer.from('%PDF-1.7 a page');
const HTML =
  '<p>Hello <img src="cid:dot" alt="Dot"> <img src="cid:fake" alt="Fake"> <img src="https://evil.example/p.png"></p>';

/** A mail with these parts in a mailbox without a mail server, and a member who reads it. */
async function receive(stack: TestStack, people: AppPeople, parts: MailPart[]) {
  const workspace = await stack.workspace();
  const member = await people.joined(workspace.id, 'member');
  const { id: mailboxId } = await workspace.connectMailbox();
  const [id = ''] = await workspace.ingest(mailboxId, [mailWithParts(HTML, parts)]);
  const path = `${member.workspace}/emails/${id}`;
  const get = (rest = '') => member.call('GET', path + rest);
  const attachments = async () => ((await get()).json.email as ThreadEmailAnswer).attachments;
  return { workspace, id, get, attachments };
}

function describeFiles(stack: TestStack, people: () => AppPeople): void {
  const opened = (parts: MailPart[]) => receive(stack, people(), parts);

  describe('an attachment', () => {
    it('is a file with a safe name that no browser shows, whatever its sender says', async () => {
      const { get, attachments } = await opened([
        { type: 'text/html', name: '../../evil\u202egpj.html', content: SCRIPT },
        { type: 'image/svg+xml', name: 'a; filename=b.exe', content: SCRIPT },
        { type: 'application/pdf', name: 'Übersicht.pdf', content: Buffer.alloc(300_000, 'x') },
      ]);
      expect(await attachments()).toMatchObject([
        { mimeType: 'text/html', size: SCRIPT.length },
        { mimeType: 'image/svg+xml' },
        { filename: 'Übersicht.pdf', size: 300_000 },
      ]);
      const { status, headers, text } = await get('/attachments/0');
      expect([status, text]).toEqual([200, SCRIPT.toString()]);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      const dispositions = [];
      for (const at of [0, 1, 2])
        dispositions.push((await get(`/attachments/${at}`)).headers.get('content-disposition'));
      expect(dispositions).toEqual([
        `attachment; filename="evilgpj.html"; filename*=UTF-8''evilgpj.html`,
        `attachment; filename="a_ filename=b.exe"; filename*=UTF-8''a%3B%20filename%3Db.exe`,
        `attachment; filename="_bersicht.pdf"; filename*=UTF-8''%C3%9Cbersicht.pdf`,
      ]);
      expect((await get('/attachments/2')).text).toHaveLength(300_000);
    });

    it.each(['3', '-1', '0x0', '1e0', '00000', 'unknown'])(
      '404 at the position %s, which no attachment has',
      async (at) => {
        const { get } = await opened([{ type: 'application/pdf', name: 'a.pdf', content: SCRIPT }]);
        expect(await get(`/attachments/${at}`)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
      },
    );

    it('404 with the reason where nobody has the message any more, and the page knows it before', async () => {
      const { workspace, id, get } = await opened([{ type: 'application/pdf', name: 'a.pdf', content: SCRIPT }]);
      expect((await get('/reading')).json.keptBy).toBe('stored');
      await stack.collections.originalPieces.deleteMany({ workspaceId: workspace.id, emailId: id });
      expect((await get('/reading')).json.keptBy).toBe('none');
      const { status, json } = await get('/attachments/0');
      expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
      expect(json.error).toContain('seven days');
      // The text is there as before, with words for its pictures.
      expect((await get('/frame')).text).toContain('<span class="image">Dot</span>');
    });
  });
}

function describeAtServer(stack: TestStack, people: () => AppPeople): void {
  it('an attachment of a mailbox at a mail server comes from there while the mailbox is connected', async () => {
    const workspace = await stack.workspace();
    const owner = await people().joined(workspace.id, 'owner');
    const [server, sink] = await Promise.all([openGmail(), openMailSink({ hasLogins: true })]);
    try {
      const parts = [
        { type: 'application/pdf', name: 'a.pdf', content: PDF },
        { type: 'image/png', contentId: 'dot', content: PNG_DOT },
      ];
      const { headers, text } = mailWithParts(HTML, parts);
      const lines = ['From: a@b.example', 'Subject: parts', `Content-Type: ${headers['Content-Type']}`, '', text];
      server.add(Buffer.from(lines.join('\r\n')), ['\\Inbox'], [], new Date(0));
      const body = { email: 'ann@gmail.test', imap: server.address, smtp: sink.address, password: 'right' };
      await owner.call('POST', `${owner.workspace}/mailboxes`, { body });
      const list = async () => (await owner.call('GET', `${owner.workspace}/emails`)).json.items;
      await eventually(async () => expect(await list()).toHaveLength(1), 30_000);
      const get = async (rest: string) => owner.call('GET', `${owner.workspace}/emails/${(await list())[0].id}${rest}`);
      expect((await get('/reading')).json.keptBy).toBe('provider');
      expect(await get('/attachments/0')).toMatchObject({ status: 200, text: PDF.toString() });
      expect((await get('/frame')).text).toContain('src="data:image/png;base64,');
      const { items } = (await owner.call('GET', `${owner.workspace}/mailboxes`)).json;
      await owner.call('POST', `${owner.workspace}/mailboxes/${items[0].id}/disconnect`);
      expect(await get('/attachments/0')).toMatchObject({ status: 400, json: { code: 'MAILBOX_INACTIVE' } });
      expect((await get('/frame')).text).toContain('<span class="image">Dot</span>');
    } finally {
      await Promise.all([server.close(), sink.close()]);
    }
  });
}

function describeCarriedImages(stack: TestStack, people: () => AppPeople): void {
  const opened = (parts: MailPart[]) => receive(stack, people(), parts);

  describe('the images that an email carries', () => {
    it('stand in its frame by the type of their bytes, without anything loaded for them', async () => {
      const { get } = await opened([
        { type: 'image/jpeg', contentId: 'dot', content: PNG_DOT },
        { type: 'image/png', contentId: 'fake', content: SCRIPT },
      ]);
      const { headers, text } = await get('/frame');
      const body = text.slice(text.indexOf('<body>'));
      expect(body).toContain(`<img src="data:image/png;base64,${PNG_DOT.toString('base64')}" alt="Dot" />`);
      expect(body).toContain('<span class="image">Fake</span>');
      expect(body).not.toContain('evil.example');
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri",
      );
      expect((await get('/reading')).json).toMatchObject({ hasImages: true });
      expect((await get('/frame?images=once')).text).toContain('<img src="https://evil.example/p.png" />');
    });
  });
}

/** The calls of the attachments of an email, as members make them. */
export function describeAttachments(stack: TestStack, people: () => AppPeople): void {
  describeFiles(stack, people);
  describeAtServer(stack, people);
  describeCarriedImages(stack, people);
}
