import { describe, expect, it } from '@jest/globals';
import type { MailItemAnswer, OpenedEmailAnswer } from '@postroom/app/answers';
import { eventually } from '../engines/eventually.ts';
import type { AppPeople } from '../support/app-client.ts';
import type { TestStack } from '../support/stack.ts';
import { describeAttachments } from './attachments-work.ts';
import { describeDrafts } from './drafts-work.ts';
import { describeEffects } from './effects-work.ts';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const HOSTILE = [
  '<p onclick="x()">Hello</p><script>x()</script><iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name="password"></form><meta http-equiv="refresh" content="0;url=x">',
  '<div style="position:fixed;inset:0;background:url(https://evil.example/b.png)">covers</div><base href="https://evil.example/">',
  `<a href="https://evil.example/?a=1&b=2">https://bank.example</a><a href="javascript:x()">run</a>`,
  `<img src="https://evil.example/p.png" alt="Our logo"><img src="${PICTURE}"><link rel="stylesheet" href="https://evil.example/c.css">`,
].join('');

/** A member of a workspace with a mailbox. */
async function openWorkspace(stack: TestStack, people: AppPeople) {
  const workspace = await stack.workspace();
  const member = await people.joined(workspace.id, 'member');
  const mailbox = await workspace.connectMailbox();
  const read = async (path: string) => (await member.call('GET', `${member.workspace}${path}`)).json;
  const post = (body: object) => member.call('POST', `${member.workspace}/emails/bulk`, { body });
  return { workspace, member, mailbox, read, post };
}

/** The calls of the list and of an opened email. */
function describeList(stack: TestStack, people: () => AppPeople): void {
  const opened = () => openWorkspace(stack, people());

  describe('mail', () => {
    it('is listed in pages that neither repeat nor lose an email, by unread state, label and search', async () => {
      const { workspace, mailbox, read, member } = await opened();
      const subjects = Array.from({ length: 7 }, (_, at) => ({ subject: `invoice ${at}`, isRead: at % 2 === 0 }));
      const ids = await workspace.ingest(mailbox.id, [...subjects, { subject: 'sent', folderType: 'SENT' }]);
      const listed: MailItemAnswer[] = [];
      for (let cursor = ''; ;) {
        const page = await read(`/emails?folderType=INBOX&limit=3${cursor && `&cursor=${cursor}`}`);
        listed.push(...page.items);
        if (!page.hasMore) break;
        cursor = page.nextCursor;
      }
      expect(listed.map(({ id }) => id).sort()).toEqual(ids.slice(0, 7).sort());
      expect((await read('/emails?folderType=INBOX&unread=only')).items).toHaveLength(3);
      const { body } = await workspace.write.post('/labels', { name: 'Paid', color: 'Green' });
      const labelId = body.label.id as string;
      const change = { action: 'applyLabel', emailIds: ids.slice(0, 2), labelId };
      expect((await member.call('POST', `${member.workspace}/emails/bulk`, { body: change })).status).toBe(200);
      const labelled = (await read(`/emails?labelId=${labelId}&search=invoice`)).items as MailItemAnswer[];
      expect(labelled.map(({ tags }) => tags.map(({ name }) => name))).toEqual([['Paid'], ['Paid']]);
      expect((await read(`/emails?labelId=${labelId}&unread=only`)).items).toHaveLength(1);
    });

    it('is opened as a thread, and says which filter hides it and what each rule decided', async () => {
      const { workspace, mailbox, read } = await opened();
      const rule = { name: 'To pay', color: 'Red', condition: 'The email is an invoice or a payment reminder' };
      await workspace.write.post('/ai-label-rules', rule);
      await workspace.write.post('/filters', { type: 'domain', value: 'sender.example' });
      const [first = '', second = ''] = await workspace.ingest(mailbox.id, [
        { subject: 'Invoice 1', date: '2026-01-01T10:00:00Z', messageId: '<one@sender.example>' },
        { subject: 'Re: Invoice 1', messageId: '<two@sender.example>', inReplyTo: '<one@sender.example>' },
      ]);
      await eventually(async () => {
        const { thread, why, folderType } = (await read(`/emails/${second}`)) as OpenedEmailAnswer;
        expect(thread.map(({ id }) => id)).toEqual([first, second]);
        expect(folderType).toBe('INBOX');
        expect(why.hiddenBy).toEqual([{ type: 'domain', value: 'sender.example' }]);
        expect(why.decided?.rules).toMatchObject([
          { label: { name: 'To pay' }, applies: expect.any(Boolean), confidence: expect.any(Number) },
        ]);
      });
      expect((await read('/emails?folderType=INBOX')).items).toEqual([]);
      expect((await read('/emails?filtered=only')).items).toHaveLength(2);
    });
  });
}

/** The calls of the body of an email, and those that change emails. */
function describeEmail(stack: TestStack, people: () => AppPeople): void {
  const opened = () => openWorkspace(stack, people());

  describe('an email', () => {
    it('stands in a frame in which nothing of a hostile html runs, is loaded or leads out of it', async () => {
      const { workspace, mailbox, read, member } = await opened();
      const [id = ''] = await workspace.ingest(mailbox.id, [{ html: HOSTILE }]);
      expect(await read(`/emails/${id}/reading`)).toMatchObject({ hasHtml: true, hasImages: true });
      const frame = (query = '') => member.call('GET', `${member.workspace}/emails/${id}/frame${query}`);
      const { headers, text } = await frame();
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toBe(
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-dns-prefetch-control')).toBe('off');
      const body = text.slice(text.indexOf('<body>'));
      expect(body).not.toMatch(/<(script|iframe|form|input|meta|base|link|img)|on\w+=|javascript:|position|url\(/i);
      expect(body).toContain('target="_blank" rel="noopener noreferrer" data-host="evil.example"');
      expect(body).toContain('<span class="image">Our logo</span>');
      const shown = (await frame('?images=once')).text;
      expect(shown.match(/<img[^>]*>/g)).toEqual([
        '<img src="https://evil.example/p.png" alt="Our logo" />',
        `<img src="${PICTURE}" />`,
      ]);
      // The API goes on without them.
      const { body: inApi } = await workspace.read.get(`/emails/${id}/body`);
      expect(inApi.body.html).not.toContain('evil.example/p.png');
    });

    it('is triaged by members, and the log says who did it', async () => {
      const { workspace, mailbox, member, read, post } = await opened();
      const ids = await workspace.ingest(mailbox.id, [{}, {}, {}]);
      expect((await post({ action: 'markRead', emailIds: ids, isRead: true })).json.updatedIds).toHaveLength(3);
      const path = `${member.workspace}/emails/${ids[0]}`;
      expect((await member.call('PATCH', path, { body: { isStarred: true } })).status).toBe(204);
      expect((await post({ action: 'delete', emailIds: ids.slice(1) })).json.deletedIds).toHaveLength(2);
      expect((await read('/emails?folderType=INBOX')).items).toMatchObject([{ isRead: true, isStarred: true }]);
      expect((await read('/emails?folderType=TRASH')).items).toHaveLength(2);
      const owner = await people().joined(workspace.id, 'owner');
      await eventually(async () => {
        const { items } = (await owner.call('GET', `${owner.workspace}/activity`)).json;
        const done = items.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id]);
        for (const action of ['emails.marked', 'email.updated', 'emails.trashed'])
          expect(done).toContainEqual([action, member.personId]);
      });
    });
  });
}

/** The calls by which an open list follows the work of others. */
function describeChanges(stack: TestStack, people: () => AppPeople): void {
  describe('a change of an email', () => {
    it('is told of in the changes behind a cursor, which an unknown cursor does not open', async () => {
      const { workspace, mailbox, read, member } = await openWorkspace(stack, people());
      const { items: none, nextCursor } = await read('/changes');
      const [id = ''] = await workspace.ingest(mailbox.id, [{}]);
      expect((await workspace.write.patch(`/emails/${id}`, { isRead: true })).status).toBe(200);
      await eventually(async () => {
        const { items, hasMore } = await read(`/changes?since=${nextCursor}`);
        expect([none, items, hasMore]).toEqual([
          [],
          [
            { event: 'email.received', emailId: id, folderType: 'INBOX' },
            { event: 'email.updated', emailId: id, changes: { isRead: true } },
          ],
          false,
        ]);
      });
      const refused = await member.call('GET', `${member.workspace}/changes?since=unknown`);
      expect(refused).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
    });
  });
}

/** The calls of the mail pages, as members make them. */
export function describeMail(stack: TestStack, people: () => AppPeople): void {
  describeDrafts(stack, people);
  describeEffects(stack, people);
  describeList(stack, people);
  describeEmail(stack, people);
  describeChanges(stack, people);
  describeAttachments(stack, people);
}
