import type { LocationPart } from '@postroom/mail-store/documents/email';
import type { Arrival } from '../ingest/email-document.ts';
import { isOutgoingKey } from '@postroom/mail-store/outgoing-key';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { isLeaving, isSameLocation, isThere } from '../location/location.ts';

/** The email that a message in an IMAP location belongs to. */
export type EmailMatch =
  /** The email at that location, or an older version of it that its provider still has. */
  | { kind: 'known'; email: EmailAsRead }
  /** An email that stood elsewhere, or whose copy is awaited. */
  | { kind: 'moved'; email: EmailAsRead }
  /** A draft as somebody else left it, or as somebody else sent it. */
  | { kind: 'rewritten'; email: EmailAsRead }
  /** A copy of our own making that is not wanted any more. */
  | { kind: 'superfluous'; email: EmailAsRead }
  /** One more email of a message that was announced already, and the youngest before it. */
  | { kind: 'copy'; of: EmailAsRead }
  | { kind: 'new' };

export type LocatedArrival = Arrival & { incoming: Arrival['incoming'] & { location: LocationPart } };

/** A copy that comes later than this was made by somebody. */
const DUPLICATE_WITHIN_MS = 3_600_000;

interface Candidates {
  /** Emails that may be this one, by any of its names. */
  emails: readonly EmailAsRead[];
  /** Taken by others of the same batch. */
  taken: ReadonlySet<string>;
  now: Date;
}

export function whichEmail(arrival: LocatedArrival, { emails, taken, now }: Candidates): EmailMatch {
  const { location } = arrival.incoming;
  const there = emails.find(
    (email) => isSameLocation(email.place, location) && email.messageKey === arrival.messageKey,
  );
  if (there) return { kind: 'known', email: there };
  const free = emails
    .filter((email) => !taken.has(email._id) && !isLeaving(email))
    .toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  const same = free.filter(({ identity }) => arrival.identities.includes(identity));
  const moved = whichMoved(same, arrival);
  if (moved) return { kind: 'moved', email: moved };
  const own = free.filter((email) => isSameOwnMail(email, arrival));
  const ours = matchOwnMail(own, arrival, now);
  if (ours) return ours;
  const [of] = emails
    .filter(({ identity }) => arrival.identities.includes(identity))
    .toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime());
  return of ? { kind: 'copy', of } : { kind: 'new' };
}

/** Some servers give what they send another Message-ID; the send that it names stays. */
function isSameOwnMail({ messageId, operation }: EmailAsRead, { mail }: LocatedArrival): boolean {
  const isNamed = operation !== undefined && operation === mail.operation;
  return isNamed || (mail.hasOwnMessageId && messageId === mail.messageId);
}

/** Of several the one that wants to be here, else the one that came first. */
function whichMoved(same: readonly EmailAsRead[], { incoming }: LocatedArrival): EmailAsRead | undefined {
  const shown = incoming.folderId;
  const able = same.filter(
    (email) => email.place !== undefined && (!isThere(email) || isOwnMove(email, incoming.location)),
  );
  return able.find(({ folderId }) => folderId === shown) ?? able[0];
}

/** It is on its way to this folder because somebody asked for that here. */
function isOwnMove({ providerChanges, place: location }: EmailAsRead, to: LocationPart): boolean {
  return providerChanges.folderId?.to === to.folderId && location?.folderId !== to.folderId;
}

function matchOwnMail(
  own: readonly EmailAsRead[],
  { incoming, identities }: LocatedArrival,
  now: Date,
): EmailMatch | undefined {
  const { folderType, location } = incoming;
  if (folderType === 'SENT') {
    const sent = own.find((email) => email.folderType === 'SENT' && isOutgoingKey(email.sourceKey));
    if (sent) return isThere(sent) ? duplicateOf(sent, now) : { kind: 'moved', email: sent };
    const draft = own.find(({ isDraft }) => isDraft);
    return draft && { kind: 'rewritten', email: draft };
  }
  if (folderType === 'INBOX') {
    const report = own.find((email) => email.folderType === 'INBOX' && isOutgoingKey(email.sourceKey) && !email.place);
    return report && { kind: 'moved', email: report };
  }
  if (folderType !== 'DRAFTS') return undefined;
  // One that is still there beside what was sent is a person's.
  const draft = own.find(({ isDraft }) => isDraft);
  const sent = own.find((email) => email.folderType === 'SENT' && isOutgoingKey(email.sourceKey));
  if (!draft) return sent && { kind: 'superfluous', email: sent };
  if (draft.place === undefined && identities.includes(draft.identity)) return { kind: 'moved', email: draft };
  return isOlder(location, draft) ? { kind: 'known', email: draft } : { kind: 'rewritten', email: draft };
}

/** The provider files what it sends by itself, and got our copy, too: one of them is enough. */
function duplicateOf(sent: EmailAsRead, now: Date): EmailMatch | undefined {
  const at = sent.confirmed?.append?.getTime() ?? 0;
  return now.getTime() - at < DUPLICATE_WITHIN_MS ? { kind: 'superfluous', email: sent } : undefined;
}

/** A version that the writer of the newer one has not removed yet. */
function isOlder(location: LocationPart, { place: known }: EmailAsRead): boolean {
  return (
    known?.folderId === location.folderId && known.uidValidity === location.uidValidity && location.uid < known.uid
  );
}
