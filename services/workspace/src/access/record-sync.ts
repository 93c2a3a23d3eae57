import { isOneOf, STORED_FOLDER_TYPES } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { FolderPart, MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import type { RecordSyncRequest, RecordSyncResponse, SyncedFolders } from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import { unknownMailbox } from '../requests/requests.ts';
import { afterSuccess, beforeAnySync, changeOfFailure, type MailboxChange } from '../sync-state/sync-state.ts';
import { mergeFolders } from './folders.ts';
import type { RenewDeps } from './renew.ts';

type RecordDeps = Pick<RenewDeps, 'mailboxes' | 'relay' | 'context'>;

/** Each lost try means that another report was written, of which a mailbox has few. */
const MOST_ATTEMPTS = 20;

/** Records the result of an attempt: one change of the mailbox with its pending event. */
export async function recordSync(
  request: RecordSyncRequest,
  call: Call,
  deps: RecordDeps,
): Promise<RecordSyncResponse> {
  const { workspaceId, mailboxId, epoch } = request;
  const { mailboxes, relay } = deps;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const mailbox = await mailboxes.find(workspaceId, mailboxId, call);
    if (!mailbox) throw unknownMailbox(mailboxId);
    if (epoch < (mailbox.sync?.epoch ?? 0)) {
      throw new ApiError('CONFLICT', { message: 'Another process synchronizes this mailbox now.' });
    }
    // A report of an attempt from before the stop does not start the mailbox again.
    if (mailbox.status !== 'active') return answer(mailbox);
    const change = changeOf(mailbox, request, deps);
    const changed = await mailboxes.change(workspaceId, mailbox, change, call);
    if (!changed) continue;
    // Their own writers publish the events of others.
    relay.publishSoon([toOutboxEntry({ _id: mailboxId, outbox: change.events })]);
    return answer(changed);
  }
  throw new ApiError('CONFLICT', { message: 'This mailbox is being changed over and over.' });
}

function changeOf(mailbox: MailboxDocument, request: RecordSyncRequest, { context }: RecordDeps): MailboxChange {
  const { epoch, lastSyncedAt, folders, failed } = request;
  const sync = { ...(mailbox.sync ?? beforeAnySync), epoch };
  const listed = folders && { folders: merged(mailbox.folders, folders, () => context.ids('fld')) };
  const done = lastSyncedAt === undefined ? {} : { lastSyncedAt: momentOf(lastSyncedAt) };
  if (failed) {
    const failure = changeOfFailure({ ...mailbox, sync }, failed, context);
    return { ...failure, set: { ...failure.set, ...listed, ...done } };
  }
  const set = { ...listed, ...done, sync: lastSyncedAt === undefined ? sync : afterSuccess(sync) };
  return { set, events: {}, at: context.clock.date() };
}

function merged(known: readonly FolderPart[], { items }: SyncedFolders, newId: () => string): FolderPart[] {
  const listed = items.map((folder) => {
    const { type } = folder;
    if (!isOneOf(STORED_FOLDER_TYPES, type)) return refuse('folders', 'must have types of the list');
    return { ...folder, type };
  });
  return mergeFolders(known, listed, newId);
}

function momentOf(text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return refuse('lastSyncedAt', 'must be a date and time');
  return moment;
}

function answer({ status, sync, folders }: MailboxDocument): RecordSyncResponse {
  return {
    status,
    failCount: sync?.failCount ?? 0,
    folders: folders.map(({ id, name, type, path = '', delimiter = '' }) => ({ id, name, type, path, delimiter })),
  };
}
