import type { EmailDocument, LocationPart } from '@postroom/mail-store/documents/email';

/** An IMAP location as the key that no two emails of a mailbox share. */
export function locationKey({ folderId, uidValidity, uid }: LocationPart): string {
  return `place:${folderId}:${uidValidity}:${uid}`;
}

/** The keys of an email without a known IMAP location, and of one that is being removed. */
export const unlocatedKey = (emailId: string): string => `unplaced:${emailId}`;
export const removedKey = (emailId: string): string => `removed:${emailId}`;

/** An email that is being removed is no longer found as the email of an arriving message. */
export function isLeaving({ _id, messageKey }: Pick<EmailDocument, '_id' | 'messageKey'>): boolean {
  return messageKey === removedKey(_id);
}

/** The pass in which a copy that gave way was gone, and that a handed-over email waits in: any other is later. */
export const HANDOVER_PASS = 0;

/** The email is about to get the IMAP location of a copy; see docs/decisions/0013. */
export function isHandedOver({ gone }: Pick<EmailDocument, 'gone'>): boolean {
  return gone?.isHandedOver === true;
}

/** The email is in its IMAP location, as far as is known. */
export function isThere({
  place: location,
  messageKey,
  gone,
}: Pick<EmailDocument, 'place' | 'messageKey' | 'gone'>): boolean {
  return location !== undefined && gone === undefined && messageKey === locationKey(location);
}

export function isSameLocation(one: LocationPart | undefined, other: LocationPart | undefined): boolean {
  return one !== undefined && other !== undefined && locationKey(one) === locationKey(other);
}
