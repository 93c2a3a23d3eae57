import type { StoredFolderType } from '@postroom/contract/lists';
import { boundedLabels } from '@postroom/mail-store/email-bounds';
import type { EmailDocument, GonePart, LocationPart, ProviderChanges } from '@postroom/mail-store/documents/email';
import type { PENDING_CHANGE_NAMES, EmailAsRead } from '../changes/email-as-read.ts';
import { isThere, locationKey, unlocatedKey } from '../location/location.ts';

export type PendingChangeName = (typeof PENDING_CHANGE_NAMES)[number];

/** A change of an email by its provider; fields that it does not name stay. */
export interface ChangeFromProvider {
  set?: Partial<EmailDocument>;
  unset?: string[];
  /** No longer pending. The time at which the provider confirmed it, if it did. */
  done?: Partial<Record<PendingChangeName, Date | null>>;
  pending?: Partial<{ [N in PendingChangeName]: NonNullable<ProviderChanges[N]>['to'] }>;
  labelsAdded?: string[];
}

/** A folder as an email knows it. */
interface Shown {
  id: string;
  type: StoredFolderType;
}

interface NewLocation {
  location: LocationPart;
  shown: Shown;
  identity: string;
}

type Flags = Pick<EmailDocument, 'isRead' | 'isStarred'>;

/** A move by COPY and EXPUNGE takes a client at most this long. */
export const COPYING_MS = 120_000;

export interface ReportedState {
  isRead: boolean;
  isStarred: boolean;
  labels: readonly string[];
  /** Where labels show it. */
  shown?: Shown;
}

/** It stands in another location now, where its provider shows these flags: there it stays what it is. */
export function movedTo(email: EmailAsRead, to: NewLocation, flags: Flags, now: Date): ChangeFromProvider {
  const { set, ...others } = locatedAt(email, to, now, { pending: missedByCopy(email, flags, now) });
  return { ...others, set: { ...set, messageKey: locationKey(to.location) }, unset: email.gone ? ['gone'] : [] };
}

/** Flags that were set here while another client copied the message: the original had them, and its copy lacks them. */
function missedByCopy(email: EmailAsRead, flags: Flags, now: Date): Partial<Flags> {
  const names = (['isRead', 'isStarred'] as const).filter((name) => {
    const confirmedAt = email.confirmed?.[name]?.getTime() ?? 0;
    const isMissed = flags[name] !== email[name] && now.getTime() - confirmedAt < COPYING_MS;
    return isMissed && !email.providerChanges[name];
  });
  return Object.fromEntries(names.map((name) => [name, email[name]]));
}

/** The same without the key of that location. `besides` is what else the same write says. */
export function locatedAt(
  email: EmailAsRead,
  to: NewLocation,
  now: Date,
  besides: ChangeFromProvider = {},
): ChangeFromProvider {
  const { location, shown, identity } = to;
  const pending = email.providerChanges.folderId;
  const isElsewhere = pending === undefined && email.folderId !== shown.id;
  return {
    set: {
      place: location,
      identity,
      ...(isElsewhere && { folderId: shown.id, folderType: shown.type }),
      ...besides.set,
    },
    done: { ...(pending?.to === shown.id && { folderId: now }), ...(email.providerChanges.append && { append: null }) },
    // Where the one it came from is still there, the copy is the first half of our own move.
    pending: { ...besides.pending, ...(isThere(email) && email.place && { remove: email.place }) },
    labelsAdded: besides.labelsAdded ?? [],
  };
}

/** The change that a report on an email in its IMAP location makes; null when the report says nothing new. */
export function changeByReport(email: EmailAsRead, state: ReportedState, at: Date): ChangeFromProvider | null {
  const flags = (['isRead', 'isStarred'] as const).map((name) => compared(email, name, email[name], state[name], at));
  const shown = state.shown && compared(email, 'folderId', email.folderId, state.shown.id, at);
  const said = [...flags, ...(shown ? [shown] : [])];
  const set: Partial<EmailDocument> = Object.assign({}, ...said.map((one) => one.set)) as Partial<EmailDocument>;
  if (set.folderId !== undefined && state.shown) set.folderType = state.shown.type;
  const labels = boundedLabels(state.labels);
  if (!isSameList(email.providerLabels, labels)) set.providerLabels = labels;
  const done = Object.assign({}, ...said.map((one) => one.done)) as NonNullable<ChangeFromProvider['done']>;
  const isBack = email.gone !== undefined;
  if (!isBack && Object.keys(set).length === 0 && Object.keys(done).length === 0) return null;
  return { set, done, unset: isBack ? ['gone'] : [] };
}

/** The message is not at its IMAP location any more. Its wanted folder and its pending changes stay. */
export const goneSince = (gone: GonePart): ChangeFromProvider => ({ set: { gone } });

/** Its IMAP location is no longer valid, and it was not searched yet. */
export const withoutUidSince = ({ _id }: EmailAsRead, pass: number): ChangeFromProvider => ({
  set: { messageKey: unlocatedKey(_id), gone: { round: pass, isSure: false } },
});

/** The last change of a field wins: a pending change is newer than a report, and a confirmed change is newer than a report from before it. */
function compared<T>(email: EmailAsRead, name: 'isRead' | 'isStarred' | 'folderId', ours: T, theirs: T, at: Date) {
  const pending = email.providerChanges[name];
  if (pending) return ours === theirs && at >= (pending.at ?? at) ? { done: { [name]: at } } : {};
  const confirmed = email.confirmed?.[name];
  if (ours === theirs || (confirmed && confirmed >= at)) return {};
  return { set: { [name]: theirs } };
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
