import type { EmailAsRead } from '../changes/email-as-read.ts';
import {
  HANDOVER_PASS,
  isHandedOver,
  isLeaving,
  isThere,
  locationKey,
  removedKey,
  unlocatedKey,
} from '../location/location.ts';
import { COPYING_MS, locatedAt, type ChangeFromProvider } from './changes-from-provider.ts';

/** The next write of a move, which holds only while its email is as it was read. */
export interface Write {
  email: EmailAsRead;
  change: ChangeFromProvider;
  /** The email has the location of its copy now, and nobody else has. */
  isLast: boolean;
}

const FIRST_PASS = 1;
/** Other clients that move mail by copying it take the first one away soon. */
const MOVING_MS = 3_600_000;

/**
 * A message that another client moves by COPY and EXPUNGE may be seen in its new folder first, and is a copy then. Once
 * the original is gone it gets the location of its copy, by three writes: it says where it goes and inherits from the
 * copy; the copy gives the location up; the original takes it.
 */
export function nextWrites(emails: readonly EmailAsRead[], now: Date): Write[] {
  const oldestFirst = emails.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  const holders = new Map(emails.map((email) => [email.messageKey, email]));
  const byIdentity = new Map<string, EmailAsRead[]>();
  for (const email of oldestFirst) byIdentity.set(email.identity, [...(byIdentity.get(email.identity) ?? []), email]);
  const writes: Write[] = [];
  const taken = new Set<string>();
  for (const email of oldestFirst.filter(isHandedOver)) {
    const holder = email.place && holders.get(locationKey(email.place));
    if (holder) taken.add(holder._id);
    writes.push(continueMove(email, holder, now));
  }
  for (const email of oldestFirst.filter(isMissed)) {
    const like = byIdentity.get(email.identity) ?? [];
    const copy = like.find((other) => !taken.has(other._id) && isCopyOf(email, other, now));
    if (!copy) continue;
    taken.add(copy._id);
    writes.push({ email, change: handOver(email, copy, now), isLast: false });
  }
  return writes;
}

function isMissed(email: EmailAsRead): boolean {
  return email.gone?.isSure === true && email.place !== undefined && !isLeaving(email);
}

function isCopyOf(gone: EmailAsRead, other: EmailAsRead, now: Date): boolean {
  if (other._id === gone._id || !isThere(other)) return false;
  return other.receivedAt > gone.receivedAt && now.getTime() - other.receivedAt.getTime() < MOVING_MS;
}

function continueMove(email: EmailAsRead, holder: EmailAsRead | undefined, now: Date): Write {
  const { _id: emailId, place: location } = email;
  if (!holder) {
    const set = location && { place: location, messageKey: locationKey(location) };
    return { email, change: { ...(set && { set }), unset: ['gone'] }, isLast: true };
  }
  if (holder.gone || holder.identity !== email.identity) {
    // The copy has gone as well, or its location means another message: the email waits to be found elsewhere.
    const gone = { round: holder.gone?.round ?? FIRST_PASS, isSure: true };
    return { email, change: { set: { messageKey: unlocatedKey(emailId), gone } }, isLast: false };
  }
  const change = handOver(email, holder, now);
  // The copy was changed after the email had inherited from it.
  if (hasNews(email, change)) return { email, change, isLast: false };
  const left = { messageKey: removedKey(holder._id), gone: { round: HANDOVER_PASS, isSure: true } };
  return { email: holder, change: { set: left }, isLast: false };
}

/** It says where it goes, and keeps the key that it has until its copy has given up the one of that location. */
export function handOver(email: EmailAsRead, copy: EmailAsRead, now: Date): ChangeFromProvider {
  const { place: location, identity, folderId, folderType } = copy;
  if (!location) throw new Error('a copy without a location gives way');
  const to = { location, shown: { id: folderId, type: folderType }, identity };
  const { set, ...others } = locatedAt(email, to, now, inheritance(email, copy));
  const gone = { round: HANDOVER_PASS, isSure: false, isHandedOver: true } as const;
  return { ...others, set: { ...set, gone } };
}

function hasNews(email: EmailAsRead, { set = {}, pending = {}, labelsAdded = [] }: ChangeFromProvider): boolean {
  const fields = ['isRead', 'isStarred', 'folderId'] as const;
  const isOther = fields.some((name) => set[name] !== undefined && set[name] !== email[name]);
  return isOther || Object.keys(pending).length > 0 || labelsAdded.length > 0;
}

/** Changes of the copy, here or elsewhere, were meant for the one email that there is; for each field the last one counts. */
function inheritance(email: EmailAsRead, copy: EmailAsRead): ChangeFromProvider {
  const set: ChangeFromProvider['set'] = {};
  const pending: NonNullable<ChangeFromProvider['pending']> = {};
  for (const name of ['isRead', 'isStarred'] as const) {
    if (email.providerChanges[name]) continue;
    // The copy may have been made some time before it was taken in.
    const copiedAt = copy.confirmed?.[name]?.getTime() ?? copy.receivedAt.getTime() - COPYING_MS;
    const isOurs = (email.confirmed?.[name]?.getTime() ?? 0) > copiedAt;
    const copied = copy.providerChanges[name];
    if (copied || !isOurs) set[name] = copy[name];
    if (copied) pending[name] = copied.to;
    // The provider has set it for the original alone, after the copy was made.
    else if (isOurs && email[name] !== copy[name]) pending[name] = email[name];
  }
  const wanted = copy.providerChanges.folderId;
  if (wanted && !email.providerChanges.folderId) pending.folderId = wanted.to;
  return { set, pending, labelsAdded: copy.labelIds.filter((labelId) => !email.labelIds.includes(labelId)) };
}
