import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { migrate } from '@postroom/mail-store/migrate';
import type { Call } from '@postroom/rpc/call';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { createChangeHandlers } from './change-handlers.ts';

const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });
let handlers: ReturnType<typeof createChangeHandlers>;
let collections: Awaited<ReturnType<typeof openMailStore>>['collections'];
let pokes = 0;

beforeAll(async () => {
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  await migrate(store.connection, new Date());
  collections = store.collections;
  handlers = createChangeHandlers({ collections, context, relay: { poke: () => (pokes += 1) } });
});
afterAll(() => context.lifecycle.close());

const callOf = (workspaceId: string): Call => ({
  workspaceId,
  requestId: 'test',
  deadline: Date.now() + 10_000,
  signal: new AbortController().signal,
  remainingMs: () => 10_000,
  log: silentLog,
});

async function world(mailboxParts: Partial<MailboxDocument> = {}) {
  const workspaceId = randomIds('wsp');
  const mailboxId = randomIds('mbx');
  await collections.mailboxes.create([
    {
      _id: mailboxId,
      workspaceId,
      email: 'a@example.com',
      emailKey: mailboxId,
      name: null,
      provider: 'development',
      status: 'active',
      aliases: [],
      folders: [
        { id: `${mailboxId}-inbox`, name: 'Inbox', type: 'INBOX' },
        { id: `${mailboxId}-trash`, name: 'Trash', type: 'TRASH' },
      ],
      server: null,
      lastSyncedAt: null,
      createdAt: new Date(),
      ...mailboxParts,
    } satisfies MailboxDocument,
  ]);
  return {
    call: callOf(workspaceId),
    mailboxId,
    emails: async (howMany: number, parts: Partial<EmailDocument> = {}) => {
      const made = Array.from({ length: howMany }, () => newEmail({ workspaceId, mailboxId, ...parts }));
      await collections.emails.insertMany(made);
      return made.map(({ _id }) => _id);
    },
    label: async (parts: { isAiLabel?: boolean; deletedAt?: Date | null } = {}) => {
      const _id = randomIds('lbl');
      const base = { _id, workspaceId, name: `Label ${_id}`, nameKey: _id, color: 'Red', createdAt: new Date() };
      await collections.labels.create([{ ...base, isAiLabel: false, deletedAt: null, ...parts }]);
      return _id;
    },
  };
}

function newEmail(parts: Partial<EmailDocument>): EmailDocument {
  const _id = randomIds('eml');
  const nobody = { email: 'x@example.com', name: null };
  return {
    _id,
    workspaceId: '',
    mailboxId: '',
    folderId: 'inbox',
    folderType: 'INBOX',
    sourceKey: _id,
    messageKey: _id,
    threadId: null,
    messageId: `<${_id}@example.com>`,
    inReplyTo: null,
    references: [],
    from: nobody,
    to: [nobody],
    cc: [],
    bcc: [],
    subject: 'Hello',
    snippet: '',
    date: new Date(),
    isRead: false,
    isStarred: false,
    isDraft: false,
    hasAttachments: false,
    attachments: [],
    labelIds: [],
    providerLabels: [],
    waitingForReply: false,
    isAutoForward: false,
    isAutoReply: false,
    scheduledSendAt: null,
    scheduledStatus: null,
    draft: null,
    senderAddress: 'x@example.com',
    senderDomain: 'example.com',
    folded: { from: '', to: '', cc: '', subject: '', text: '' },
    words: [],
    rendered: '',
    owed: [],
    hasOwed: false,
    owedToProvider: [],
    receivedAt: new Date(),
    ...parts,
  };
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );
const stored = async (emailId: string) => (await collections.emails.findOne({ _id: emailId }).lean<EmailDocument>())!;
const owedBy = async (emailId: string) => (await stored(emailId)).owed.map(({ type, data }) => ({ type, data }));

describe('marking one email', () => {
  it('answers with the changed email and owes one event for each flag that changed', async () => {
    const { call, emails } = await world();
    const [emailId = ''] = await emails(1, { isStarred: true });
    const before = pokes;
    const email = await handlers.updateEmail({ emailId, isRead: true, isStarred: true }, call);
    expect(email).toMatchObject({ id: emailId, isRead: true, isStarred: true });
    expect(await owedBy(emailId)).toEqual([{ type: 'email.updated', data: { emailId, changes: { isRead: true } } }]);
    expect(await stored(emailId)).toMatchObject({ hasOwed: true, owedToProvider: [] });
    expect(pokes).toBe(before + 1);

    await handlers.updateEmail({ emailId, isRead: false, isStarred: false }, call);
    expect((await owedBy(emailId)).slice(1).map(({ data }) => data.changes)).toEqual([
      { isRead: false },
      { isStarred: false },
    ]);
  });

  it('owes nothing where nothing changes', async () => {
    const { call, emails } = await world();
    const [emailId = ''] = await emails(1);
    await handlers.updateEmail({ emailId, isRead: false, isStarred: undefined }, call);
    expect(await stored(emailId)).toMatchObject({ hasOwed: false, owed: [] });
  });

  it('NOT_FOUND for an unknown email and for a foreign one alike', async () => {
    const { call } = await world();
    const [foreign = ''] = await (await world()).emails(1);
    for (const emailId of [foreign, 'eml_unknown']) {
      expect(await code(handlers.updateEmail({ emailId, isRead: true, isStarred: undefined }, call))).toBe('NOT_FOUND');
      expect(await code(handlers.deleteEmail({ emailId }, call))).toBe('NOT_FOUND');
    }
  });

  it('tells the provider of a mailbox behind IMAP in the same write', async () => {
    const { call, emails, mailboxId } = await world({ provider: 'imap' });
    const [emailId = ''] = await emails(1);
    await handlers.updateEmail({ emailId, isRead: true, isStarred: undefined }, call);
    await handlers.deleteEmail({ emailId }, call);
    expect((await stored(emailId)).owedToProvider).toEqual([
      { id: expect.any(String), kind: 'flags', isRead: true, isStarred: null, folderId: null },
      { id: expect.any(String), kind: 'move', isRead: null, isStarred: null, folderId: `${mailboxId}-trash` },
    ]);
  });

  it('never splits a call: both flags are one caller’s, however many there are', async () => {
    const { call, emails } = await world();
    const [emailId = ''] = await emails(1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        handlers.updateEmail({ emailId, isRead: index % 2 === 0, isStarred: index % 2 === 0 }, call),
      ),
    );
    const { isRead, isStarred, owed } = await stored(emailId);
    expect(isRead).toBe(isStarred);
    for (const name of ['isRead', 'isStarred']) {
      const told = owed
        .map(({ data }) => (data.changes as Record<string, boolean>)[name])
        .filter((flag) => flag !== undefined);
      // Each event is a change, so they alternate, and the last one tells how things stand.
      expect(told).toEqual(told.map((_, index) => index % 2 === 0));
      if (told.length > 0) expect(told.at(-1)).toBe(isRead);
    }
  });
});

describe('moving one email to the trash', () => {
  it('puts it into the mailbox’s trash folder, once', async () => {
    const { call, emails, mailboxId } = await world();
    const [emailId = ''] = await emails(1);
    await Promise.all(Array.from({ length: 20 }, () => handlers.deleteEmail({ emailId }, call)));
    expect(await stored(emailId)).toMatchObject({ folderId: `${mailboxId}-trash`, folderType: 'TRASH' });
    expect(await owedBy(emailId)).toEqual([{ type: 'email.deleted', data: { emailId } }]);
  });

  it('NO_TRASH_FOLDER where the mailbox has none', async () => {
    const { call, emails } = await world({ folders: [{ id: 'in', name: 'Inbox', type: 'INBOX' }] });
    const [emailId = ''] = await emails(1);
    expect(await code(handlers.deleteEmail({ emailId }, call))).toBe('NO_TRASH_FOLDER');
    expect(await stored(emailId)).toMatchObject({ folderType: 'INBOX', owed: [] });
  });
});

describe('labels on one email', () => {
  it('applies once and announces once, AI labels too', async () => {
    const { call, emails, label } = await world();
    const [emailId = ''] = await emails(1);
    const [manual, clever] = [await label(), await label({ isAiLabel: true })];
    await Promise.all(Array.from({ length: 20 }, () => handlers.applyLabel({ emailId, labelId: manual }, call)));
    const { labels } = await handlers.applyLabel({ emailId, labelId: clever }, call);
    expect(labels.map(({ id }) => id)).toEqual([manual, clever]);
    expect(await owedBy(emailId)).toEqual([
      { type: 'label.applied', data: { emailId, tagId: manual, tagName: `Label ${manual}`, isAiLabel: false } },
      { type: 'label.applied', data: { emailId, tagId: clever, tagName: `Label ${clever}`, isAiLabel: true } },
    ]);
  });

  it('removes, answers with the labels left, and leaves out a label that is gone', async () => {
    const { call, emails, label } = await world();
    const [first, gone, last] = [await label(), await label({ deletedAt: new Date() }), await label()];
    const [emailId = ''] = await emails(1, { labelIds: [first, gone, last] });
    for (let time = 0; time < 2; time += 1) {
      const { labels } = await handlers.removeLabel({ emailId, labelId: first }, call);
      expect(labels).toEqual([{ id: last, name: `Label ${last}`, color: 'Red', isAiLabel: false }]);
    }
    expect((await stored(emailId)).owed).toEqual([]);
  });

  it('EMAIL_NOT_FOUND before LABEL_NOT_FOUND, foreign like unknown, a deleted label like none', async () => {
    const { call, emails, label } = await world();
    const other = await world();
    const [emailId = ''] = await emails(1);
    const [foreignEmail = ''] = await other.emails(1);
    const labelId = await label();
    const lost = [await other.label(), await label({ deletedAt: new Date() }), 'lbl_unknown'];
    for (const change of [handlers.applyLabel, handlers.removeLabel]) {
      for (const email of [foreignEmail, 'eml_unknown']) {
        expect(await code(change({ emailId: email, labelId }, call))).toBe('EMAIL_NOT_FOUND');
        expect(await code(change({ emailId: email, labelId: 'lbl_unknown' }, call))).toBe('EMAIL_NOT_FOUND');
      }
      for (const id of lost) expect(await code(change({ emailId, labelId: id }, call))).toBe('LABEL_NOT_FOUND');
    }
  });
});

describe('500 emails at once', () => {
  it('tells updated, unchanged and skipped apart, each id once and in the order asked', async () => {
    const { call, emails } = await world();
    const [foreign = ''] = await (await world()).emails(1);
    const unread = await emails(300);
    const read = await emails(198, { isRead: true });
    const asked = [...read, foreign, ...unread, 'eml_unknown', ...unread.slice(0, 5)];
    const answer = await handlers.bulkMarkRead({ emailIds: asked, isRead: true }, call);
    expect(answer).toEqual({ updatedIds: unread, unchangedIds: read, skippedIds: [foreign, 'eml_unknown'] });
    expect(await collections.emails.countDocuments({ workspaceId: call.workspaceId, isRead: true })).toBe(498);
    expect(await collections.emails.countDocuments({ workspaceId: call.workspaceId, hasOwed: true })).toBe(300);
    expect((await stored(foreign)).isRead).toBe(false);
  });

  it('moves to the trash what has one', async () => {
    const { call, emails } = await world();
    const mailboxId = randomIds('mbx');
    const movable = await emails(3);
    const trashed = await emails(2, { folderType: 'TRASH' });
    const stuck = await emails(2, { mailboxId });
    const answer = await handlers.bulkDelete({ emailIds: [...stuck, ...trashed, 'eml_unknown', ...movable] }, call);
    expect(answer).toEqual({ deletedIds: movable, skippedIds: [...trashed, 'eml_unknown'], noTrashIds: stuck });
  });

  it('counts only labels that were really added or removed', async () => {
    const { call, emails, label } = await world();
    const labelId = await label();
    const bare = await emails(3);
    const carrying = await emails(2, { labelIds: [labelId] });
    const emailIds = [...carrying, ...bare];
    const asked = [...emailIds, 'eml_unknown'];
    const answer = { labelId, emailIds, skippedIds: ['eml_unknown'] };
    expect(await handlers.bulkApplyLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 3 });
    expect(await handlers.bulkApplyLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 0 });
    expect(await handlers.bulkRemoveLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 5 });
    expect((await owedBy(bare[0] ?? '')).map(({ type }) => type)).toEqual(['label.applied']);
    expect(await owedBy(carrying[0] ?? '')).toEqual([]);
  });

  it('LABEL_NOT_FOUND and INVALID_TAG before any email is looked at', async () => {
    const { call, label } = await world();
    const clever = await label({ isAiLabel: true });
    for (const change of [handlers.bulkApplyLabel, handlers.bulkRemoveLabel]) {
      expect(await code(change({ emailIds: ['eml_unknown'], labelId: 'lbl_unknown' }, call))).toBe('LABEL_NOT_FOUND');
      expect(await code(change({ emailIds: ['eml_unknown'], labelId: clever }, call))).toBe('INVALID_TAG');
    }
  });

  it('answers add up when 20 clients mark the same emails read and unread', async () => {
    const { call, emails } = await world();
    const emailIds = await emails(60);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const isRead = index % 2 === 0;
        return { isRead, ...(await handlers.bulkMarkRead({ emailIds, isRead }, call)) };
      }),
    );
    for (const emailId of emailIds) {
      const { owed, isRead } = await stored(emailId);
      const told = owed.map(({ data }) => (data.changes as { isRead: boolean }).isRead);
      const by = (wanted: boolean) =>
        answers.filter((answer) => answer.isRead === wanted && answer.updatedIds.includes(emailId)).length;
      expect(told).toEqual(told.map((_, index) => index % 2 === 0));
      expect(by(true)).toBe(told.filter((flag) => flag).length);
      expect(by(false)).toBe(told.filter((flag) => !flag).length);
      expect(isRead).toBe(by(true) > by(false));
    }
    for (const { updatedIds, unchangedIds } of answers) expect(updatedIds.length + unchangedIds.length).toBe(60);
  });

  it('each email is deleted and labelled by exactly one of 20 clients', async () => {
    const { call, emails, label } = await world();
    const [emailIds, labelId] = [await emails(50), await label()];
    const clients = Array.from({ length: 20 });
    const deletions = await Promise.all(clients.map(() => handlers.bulkDelete({ emailIds }, call)));
    const deleted = deletions.flatMap(({ deletedIds }) => deletedIds);
    expect(deleted.toSorted()).toEqual(emailIds.toSorted());
    for (const { deletedIds, skippedIds } of deletions) expect(deletedIds.length + skippedIds.length).toBe(50);

    const applied = await Promise.all(clients.map(() => handlers.bulkApplyLabel({ emailIds, labelId }, call)));
    expect(applied.reduce((sum, { updatedCount }) => sum + updatedCount, 0)).toBe(50);
  });
});

describe('forgetting a label', () => {
  it('takes it off every email of this workspace, and can be repeated', async () => {
    const { call, emails, label } = await world();
    const [gone, kept] = [await label(), await label()];
    const other = await world();
    const [foreign = ''] = await other.emails(1, { labelIds: [gone] });
    const carrying = await emails(1_200, { labelIds: [kept, gone] });
    expect(await handlers.forgetLabel({ labelId: gone }, call)).toEqual({ updatedCount: 1_200 });
    expect(await handlers.forgetLabel({ labelId: gone }, call)).toEqual({ updatedCount: 0 });
    expect((await stored(carrying[7] ?? '')).labelIds).toEqual([kept]);
    expect((await stored(foreign)).labelIds).toEqual([gone]);
  });
});
