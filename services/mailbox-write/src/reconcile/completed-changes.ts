import { ApiError } from '@postroom/errors/api-error';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { CompletedChange } from '@postroom/proto/postroom/v1/mailbox_write';
import type { EmailChange } from '../changes/email-change.ts';
import { PENDING_CHANGE_NAMES, type EmailAsRead } from '../changes/email-as-read.ts';
import { changeAll } from './change-all.ts';
import { handOver } from './hand-over-location.ts';
import { labelsOf, mergeMoved } from './merge-moved.ts';
import { isHandedOver, isSameLocation, locationKey } from '../location/location.ts';
import type { ChangeFromProvider } from './changes-from-provider.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

interface Completed extends Omit<CompletedChange, 'at'> {
  at: Date;
}

type PendingChangeName = (typeof PENDING_CHANGE_NAMES)[number];

/** Changes that the provider has made or refused are pending no longer. Changes asked for since then still are. */
export async function completeChanges(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  completed: readonly Completed[],
  pass: number,
): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { locations, pendingCopies } = deps.stores;
  const byEmail = new Map<string, Completed>();
  for (const one of completed) {
    if (byEmail.has(one.emailId)) throw twice();
    byEmail.set(one.emailId, one);
  }
  await takeLocations(deps, mailbox, completed);
  await changeAll(deps, mailbox, {
    names: [...byEmail.keys()],
    read: (ids) => locations.byIds(workspaceId, mailboxId, ids),
    nameOf: ({ _id }) => _id,
    change: (email) => completedChange(deps, mailbox, email, byEmail.get(email._id) as Completed, pass),
  });
  await pendingCopies.remove(
    workspaceId,
    completed.flatMap(({ changeIds }) => changeIds),
  );
}

/** A message that the provider has filed for us may have been taken in as another email before its answer came. */
async function takeLocations(deps: ReconcileDeps, mailbox: MailboxDocument, completed: readonly Completed[]) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { locations } = deps.stores;
  const owners = new Map(
    completed.flatMap(({ location, emailId }) => (location ? [[locationKey(location), emailId] as const] : [])),
  );
  const holders = await locations.byKeys(workspaceId, mailboxId, [...owners.keys()]);
  const copies = new Map(
    holders.flatMap((holder) => {
      const owner = owners.get(holder.messageKey) ?? '';
      return owner === holder._id || isHandedOver(holder) ? [] : [[owner, holder] as const];
    }),
  );
  const labels = await labelsOf(
    deps,
    workspaceId,
    [...copies.values()].flatMap(({ labelIds }) => labelIds),
  );
  const handedOver = await changeAll(deps, mailbox, {
    names: [...copies.keys()],
    read: (ids) => locations.byIds(workspaceId, mailboxId, ids),
    nameOf: ({ _id }) => _id,
    change: (email) => {
      const fromProvider = handOver(email, copies.get(email._id) as EmailAsRead, deps.context.clock.date());
      return isHandedOver(email) ? null : deps.changeOf(workspaceId, email, fromProvider, labels);
    },
  });
  const identities = handedOver.flatMap(({ _id }) => copies.get(_id)?.identity ?? []);
  await mergeMoved(deps, mailbox, identities);
}

function twice(): ApiError {
  return new ApiError('VALIDATION_FAILED', { details: { changes: ['Give each email once.'] } });
}

function completedChange(
  { changeOf }: ReconcileDeps,
  mailbox: MailboxDocument,
  email: EmailAsRead,
  completed: Completed,
  pass: number,
): EmailChange | null {
  const names = PENDING_CHANGE_NAMES.filter((name) =>
    completed.changeIds.includes(email.providerChanges[name]?.id ?? ''),
  );
  const fromProvider =
    completed.refused === undefined ? done(email, names, completed, pass) : undone(mailbox, email, names);
  return fromProvider && changeOf(mailbox.workspaceId, email, fromProvider);
}

function done(
  email: EmailAsRead,
  names: readonly PendingChangeName[],
  { location, at }: Completed,
  pass: number,
): ChangeFromProvider | null {
  const hasNews = location !== undefined && !isSameLocation(location, email.place);
  // A copy that nobody waits for any more: what it was made for has changed meanwhile.
  const isLeft = hasNews && !names.includes('append') && !names.includes('folderId') && email.providerChanges.append;
  if (names.length === 0 && !isLeft) return null;
  const confirmed = Object.fromEntries(names.map((name) => [name, at]));
  if (isLeft) return { done: confirmed, pending: { remove: location } };
  const isLost = names.includes('folderId') && location === undefined;
  return {
    done: confirmed,
    set: {
      ...(location && { place: location, messageKey: locationKey(location) }),
      ...(isLost && { gone: { round: pass, isSure: true } }),
    },
    unset: location && email.gone ? ['gone'] : [],
  };
}

/** As it is at the provider. */
function undone(
  { folders }: MailboxDocument,
  email: EmailAsRead,
  names: readonly PendingChangeName[],
): ChangeFromProvider | null {
  if (names.length === 0) return null;
  const { providerChanges, place: location } = email;
  const set: Partial<EmailDocument> = {};
  for (const name of ['isRead', 'isStarred'] as const) {
    if (names.includes(name) && providerChanges[name]) set[name] = !providerChanges[name].to;
  }
  const home = names.includes('folderId') && folders.find(({ id }) => id === location?.folderId);
  if (home) Object.assign(set, { folderId: home.id, folderType: home.type });
  return { set, done: Object.fromEntries(names.map((name) => [name, null])) };
}
