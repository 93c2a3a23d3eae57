import { ApiError } from '@postroom/errors/api-error';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { SettledChange } from '@postroom/proto/postroom/v1/mailbox_write';
import type { EmailChange } from '../changes/email-change.ts';
import { PENDING_CHANGE_NAMES, type PlacedEmail } from '../changes/as-read.ts';
import { changeAll } from './change-all.ts';
import { handOver } from './handover.ts';
import { labelsOf, mergeMoved } from './merging.ts';
import { isHandedOver, isSamePlace, placeKey } from '../place.ts';
import type { Outcome } from './outcomes.ts';
import type { PlaceDeps } from './place-deps.ts';

export interface Settled extends Omit<SettledChange, 'at'> {
  at: Date;
}

type PendingChangeName = (typeof PENDING_CHANGE_NAMES)[number];

/** Changes that the provider has made or refused are pending no longer. Changes asked for since then still are. */
export async function settleChanges(
  deps: PlaceDeps,
  mailbox: MailboxDocument,
  settled: readonly Settled[],
  round: number,
): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { places, pendingCopies } = deps.stores;
  const byEmail = new Map<string, Settled>();
  for (const one of settled) {
    if (byEmail.has(one.emailId)) throw twice();
    byEmail.set(one.emailId, one);
  }
  await takePlaces(deps, mailbox, settled);
  await changeAll(deps, mailbox, {
    names: [...byEmail.keys()],
    read: (ids) => places.byIds(workspaceId, mailboxId, ids),
    nameOf: ({ _id }) => _id,
    change: (email) => settledChange(deps, mailbox, email, byEmail.get(email._id) as Settled, round),
  });
  await pendingCopies.remove(
    workspaceId,
    settled.flatMap(({ changeIds }) => changeIds),
  );
}

/** A message that the provider has filed for us may have been taken in as another email before its answer came. */
async function takePlaces(deps: PlaceDeps, mailbox: MailboxDocument, settled: readonly Settled[]) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { places } = deps.stores;
  const owners = new Map(settled.flatMap(({ place, emailId }) => (place ? [[placeKey(place), emailId] as const] : [])));
  const holders = await places.byKeys(workspaceId, mailboxId, [...owners.keys()]);
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
    read: (ids) => places.byIds(workspaceId, mailboxId, ids),
    nameOf: ({ _id }) => _id,
    change: (email) => {
      const outcome = handOver(email, copies.get(email._id) as PlacedEmail, deps.context.clock.date());
      return isHandedOver(email) ? null : deps.changeOf(workspaceId, email, outcome, labels);
    },
  });
  const identities = handedOver.flatMap(({ _id }) => copies.get(_id)?.identity ?? []);
  await mergeMoved(deps, mailbox, identities);
}

function twice(): ApiError {
  return new ApiError('VALIDATION_FAILED', { details: { changes: ['Give each email once.'] } });
}

function settledChange(
  { changeOf }: PlaceDeps,
  mailbox: MailboxDocument,
  email: PlacedEmail,
  settled: Settled,
  round: number,
): EmailChange | null {
  const names = PENDING_CHANGE_NAMES.filter((name) =>
    settled.changeIds.includes(email.providerChanges[name]?.id ?? ''),
  );
  const outcome = settled.refused === undefined ? done(email, names, settled, round) : undone(mailbox, email, names);
  return outcome && changeOf(mailbox.workspaceId, email, outcome);
}

function done(
  email: PlacedEmail,
  names: readonly PendingChangeName[],
  { place, at }: Settled,
  round: number,
): Outcome | null {
  const isNews = place !== undefined && !isSamePlace(place, email.place);
  // A copy that nobody waits for any more: what it was made for has changed meanwhile.
  const isLeft = isNews && !names.includes('append') && !names.includes('folderId') && email.providerChanges.append;
  if (names.length === 0 && !isLeft) return null;
  const confirmed = Object.fromEntries(names.map((name) => [name, at]));
  if (isLeft) return { done: confirmed, pending: { remove: place } };
  const isLost = names.includes('folderId') && place === undefined;
  return {
    done: confirmed,
    set: {
      ...(place && { place, messageKey: placeKey(place) }),
      ...(isLost && { gone: { round, isSure: true } }),
    },
    unset: place && email.gone ? ['gone'] : [],
  };
}

/** As it is at the provider. */
function undone({ folders }: MailboxDocument, email: PlacedEmail, names: readonly PendingChangeName[]): Outcome | null {
  if (names.length === 0) return null;
  const { providerChanges, place } = email;
  const set: Partial<EmailDocument> = {};
  for (const name of ['isRead', 'isStarred'] as const) {
    if (names.includes(name) && providerChanges[name]) set[name] = !providerChanges[name].to;
  }
  const home = names.includes('folderId') && folders.find(({ id }) => id === place?.folderId);
  if (home) Object.assign(set, { folderId: home.id, folderType: home.type });
  return { set, done: Object.fromEntries(names.map((name) => [name, null])) };
}
