import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { eventually } from '../engines/eventually.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from '../engines/support/synced-mailbox.ts';
import { type Gmail, openGmail } from '../support/gmail.ts';
import type { GmailMessage } from '../support/gmail-mail.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const SOON = 30_000;
const OLD = new Date('2025-01-02T03:04:05Z');
const message = (subject: string, from = 'ann@example.com') =>
  Buffer.from(`From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello`);

describe('a mailbox at Gmail', () => {
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let gmail: Gmail;
  let mailbox: SyncedMailbox;
  beforeAll(async () => {
    // The lease stays as long as on the other clock.
    const clock = behindGateway(shiftingClock({ times: 4 }));
    stack = await startSyncedStack({ MAILBOX_LEASE: '20s' }, { clock });
  });
  beforeEach(async () => {
    workspace = await stack.workspace();
    gmail = await openGmail();
  });
  afterEach(async () => {
    await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {});
    await gmail.close();
  });
  afterAll(() => stack.close());

  const holds = (subject: string, ...labels: string[]) => gmail.add(message(subject), labels, [], OLD);
  const connect = async (count: number) => {
    mailbox = await stack.connectUser(workspace, 'ann@gmail.test', gmail.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toHaveLength(count), SOON, 100);
  };
  const see = (check: (shown: Awaited<ReturnType<SyncedMailbox['shown']>>) => void) =>
    eventually(async () => check(await mailbox.shown()), SOON, 100);
  const relabel = (of: GmailMessage, ...labels: string[]) => gmail.change(of, (one) => (one.labels = new Set(labels)));
  const isTold = { classifiedAt: { $gt: new Date(0) } };

  it('has each message once, in the folder that shows it', async () => {
    holds('inbox', '\\Inbox', '\\Important', 'Work');
    holds('archived', 'Work');
    holds('sent', '\\Sent');
    holds('answer in a conversation of the inbox', '\\Inbox', '\\Sent');
    holds('draft', '\\Draft');
    for (const box of ['Trash', 'Spam'] as const) gmail.change(holds(box), (one) => (one.keptIn = box));
    await connect(7);
    const folders = Object.entries(await mailbox.shown()).map(([subject, { folder }]) => [subject, folder]);
    expect(Object.fromEntries(folders)).toEqual({
      inbox: 'INBOX',
      archived: 'All Mail',
      sent: 'Sent Mail',
      'answer in a conversation of the inbox': 'Sent Mail',
      draft: 'Drafts',
      Trash: 'Trash',
      Spam: 'Spam',
    });
    expect((await mailbox.state()).folders.map(({ name, done, isComplete }) => [name, done, isComplete])).toEqual([
      ['All Mail', 5, true],
      ['Spam', 1, true],
      ['Trash', 1, true],
    ]);
    expect(gmail.acts).toEqual([]);
  });

  it('shows new mail, follows its labels, and the email keeps its id', async () => {
    holds('old', '\\Inbox');
    await connect(1);
    const mail = gmail.add(message('news'), ['\\Inbox']);
    await see(({ news }) => expect(news?.folder).toBe('INBOX'));
    const { old, news } = await mailbox.shown();
    await eventually(async () => {
      const told = await stack.collections.emails.find({ mailboxId: mailbox.id, ...isTold }).lean();
      expect(told.map(({ subject }) => subject)).toEqual(['news']);
    }, SOON);
    relabel(mail, 'Work');
    await see((shown) => expect(shown).toEqual({ old, news: { ...news, folder: 'All Mail' } }));
    relabel(mail, 'Work', '\\Inbox', 'R&AOk-sum&AOk-s');
    await see((shown) => expect(shown).toEqual({ old, news }));
    const [stored] = await stack.collections.emails.find({ mailboxId: mailbox.id, subject: 'news' }).lean();
    expect(stored?.providerLabels).toEqual(['Work', '\\Inbox', 'R\u00e9sum\u00e9s']);
    gmail.change(mail, (one) => {
      one.keptIn = 'Spam';
      one.labels.delete('\\Inbox');
    });
    await see((shown) => expect(shown).toEqual({ old, news: { ...news, folder: 'Spam' } }));
    gmail.remove(mail);
    await see((shown) => expect(shown).toEqual({ old }));
  });

  it('is told what is marked and trashed here, and nothing else', async () => {
    const [read, trashed] = [holds('read', '\\Inbox'), holds('trashed', '\\Inbox')];
    await connect(2);
    const shown = await mailbox.shown();
    await workspace.write.patch(`/emails/${shown['read']?.id}`, { isRead: true });
    await workspace.write.delete(`/emails/${shown['trashed']?.id}`);
    await eventually(() => expect([[...read.flags], trashed.keptIn]).toEqual([['\\Seen'], 'Trash']), SOON);
    await see((now) =>
      expect(now).toEqual({
        read: { ...shown['read'], isRead: true },
        trashed: { ...shown['trashed'], folder: 'Trash' },
      }),
    );
    expect(gmail.acts.map((act) => act.split(' ').slice(0, 2).join(' ')).toSorted()).toEqual(['UID MOVE', 'UID STORE']);
  });

  it('is not believed to count its changes once it has not counted ours', async () => {
    const [ours, theirs] = [holds('ours', '\\Inbox'), holds('theirs', '\\Inbox')];
    await connect(2);
    gmail.stopCounting();
    const shown = await mailbox.shown();
    await workspace.write.patch(`/emails/${shown['ours']?.id}`, { isRead: true });
    await eventually(() => expect([...ours.flags]).toEqual(['\\Seen']), SOON);
    gmail.change(theirs, ({ flags }) => flags.add('\\Flagged'));
    await see((now) => expect(now['theirs']?.isStarred).toBe(true));
  });

  it('gets a draft once, and of what is sent no second copy; the draft then goes for good', async () => {
    await connect(0);
    const raw = message('plan', 'ann@gmail.test');
    const made = { mailboxId: mailbox.id, raw, source: 'api', isAutoForward: false, isAutoReply: false };
    const make = (folderType: string, operationId: string, draftId?: string) =>
      stack.mailboxWrite.storeOutgoing(
        StoreOutgoingRequest.fromPartial({ ...made, folderType, ...(draftId !== undefined && { draftId }) }),
        { workspaceId: workspace.id, operationId },
      );
    const { id } = await make('DRAFTS', 'opn_draft');
    const located = { _id: id, 'place.uid': { $gt: 0 } };
    await eventually(async () => expect(await stack.collections.emails.countDocuments(located)).toBe(1), SOON);
    expect(gmail.all.map(({ labels }) => [...labels])).toEqual([['\\Draft']]);
    // As the provider does when it sends it for us.
    const sent = gmail.add(raw, ['\\Sent']);
    await make('SENT', 'opn_sent', id);
    await eventually(() => expect(gmail.all).toEqual([sent]), SOON);
    await see((shown) => expect(shown).toMatchObject({ plan: { id, folder: 'Sent Mail' } }));
    await eventually(async () => {
      const pending = { mailboxId: mailbox.id, providerChangesSince: { $gt: new Date(0) } };
      expect(await stack.collections.emails.countDocuments(pending)).toBe(0);
    }, SOON);
    expect(Object.keys(await mailbox.shown())).toEqual(['plan']);
    expect(gmail.acts.filter((act) => act.startsWith('APPEND'))).toHaveLength(1);
  });
});
