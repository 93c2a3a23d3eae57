import { beforeEach, describe, expect, it } from '@jest/globals';
import { minute } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
let mailboxId: string;
beforeEach(async () => {
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
});

const ROOT = '<root@sender.example>';
/** Two emails of one thread, the second sent, and another email between them. */
async function putThreads() {
  const ids = await workspace.ingest(mailboxId, [
    { subject: 'Lunch', messageId: ROOT, date: minute(0), from: 'ann@sender.example' },
    { subject: 'Other', date: minute(1) },
    { subject: 'Re: Lunch', inReplyTo: ROOT, date: minute(2), folderType: 'SENT', text: 'Yes.' },
  ]);
  const { threadId } = (await workspace.read.get(`/emails/${ids[0]}`)).body.email;
  return { ids, threadId: threadId as string };
}

describe('GET /threads', () => {
  it('200 with the threads of the emails that are asked for, by their newest email of any folder', async () => {
    const { ids, threadId } = await putThreads();
    const { label } = (await workspace.write.post('/labels', { name: 'Käse', color: 'Red' })).body;
    await workspace.write.post(`/emails/${ids[0]}/labels/${label.id}`);
    const { createdAt: _createdAt, ...tag } = label;
    const { status, body } = await workspace.read.get('/threads?folderType=INBOX');
    expect([status, body.nextCursor, body.hasMore]).toEqual([200, null, false]);
    expect(body.items.map(({ subject }: { subject: string }) => subject)).toEqual(['Lunch', 'Other']);
    expect(body.items[0]).toMatchObject({
      id: threadId,
      mailboxId,
      emailCount: 2,
      tags: [tag],
      date: minute(2).toISOString(),
    });
    const view = { name: 'Labelled', filters: { id: 'a', label: 'label', type: 'contains', value: label.id } };
    const viewId = (await workspace.write.post('/views', view)).body.view.id;
    for (const query of [`viewId=${viewId}`, 'folderType=SENT', `mailboxId=${mailboxId}&limit=1`]) {
      const { items } = (await workspace.read.get(`/threads?${query}`)).body;
      expect(items.map(({ id }: { id: string }) => id)).toEqual([threadId]);
    }
  });

  it('200 without the threads that the plain INBOX hides', async () => {
    await putThreads();
    await workspace.write.post('/filters', { type: 'subject', value: 'Lunch' });
    const { items } = (await workspace.read.get('/threads?folderType=INBOX')).body;
    expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['Other']);
  });

  it('404 VIEW_NOT_FOUND for an unknown view', async () => {
    expect(await workspace.read.get('/threads?viewId=viw_unknown')).toMatchObject({
      status: 404,
      body: { code: 'VIEW_NOT_FOUND' },
    });
  });
});

describe('GET /threads/{threadId}', () => {
  it('200 with the thread and its emails of all folders, the oldest first', async () => {
    const { ids, threadId } = await putThreads();
    const { status, body } = await workspace.read.get(`/threads/${threadId}`);
    const { items } = (await workspace.read.get('/emails')).body;
    expect(status).toBe(200);
    expect(body.emails).toEqual(items.filter((item: { threadId: string }) => item.threadId === threadId).toReversed());
    expect(body.thread).toEqual({
      id: threadId,
      mailboxId,
      subject: 'Lunch',
      participants: [
        { email: 'ann@sender.example', name: 'Ann Sender' },
        { email: 'bob@example.com', name: 'Bob' },
      ],
      emailCount: 2,
      unreadCount: items.filter(
        (item: { threadId: string; isRead: boolean }) => item.threadId === threadId && !item.isRead,
      ).length,
      hasAttachments: false,
      isStarred: false,
      tags: [],
      snippet: 'Yes.',
      date: minute(2).toISOString(),
    });
    expect(body.emails).toHaveLength(2);
    expect(ids).toContain(body.emails[0].id);
  });

  it('404 THREAD_NOT_FOUND for an unknown thread', async () => {
    expect(await workspace.read.get('/threads/thr_unknown')).toMatchObject({
      status: 404,
      body: { code: 'THREAD_NOT_FOUND' },
    });
  });
});
