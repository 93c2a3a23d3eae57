import type { EmailDocument, PlacePart } from '@postroom/mail-store/documents/email';

/** A place as the key that no two emails of a mailbox share. */
export function placeKey({ folderId, uidValidity, uid }: PlacePart): string {
  return `place:${folderId}:${uidValidity}:${uid}`;
}

/** Of an email whose place nobody knows, and of one that is on its way out. */
export const unplacedKey = (emailId: string): string => `unplaced:${emailId}`;
export const removedKey = (emailId: string): string => `removed:${emailId}`;

/** Whether it is on its way out: then no message that comes in is it any more. */
export function isLeaving({ _id, messageKey }: Pick<EmailDocument, '_id' | 'messageKey'>): boolean {
  return messageKey === removedKey(_id);
}

/** The pass in which a copy that gave way was gone, and that a handed-over email waits in: any other is later. */
export const HANDOVER_ROUND = 0;

/** Whether it is on its way to the location of a copy, which still has a document of its own there or had a moment ago. */
export function isHandedOver({ gone }: Pick<EmailDocument, 'gone'>): boolean {
  return gone?.isHandedOver === true;
}

/** Whether it stands where it was, as far as anybody knows. */
export function isThere({ place, messageKey, gone }: Pick<EmailDocument, 'place' | 'messageKey' | 'gone'>): boolean {
  return place !== undefined && gone === undefined && messageKey === placeKey(place);
}

export function isSamePlace(one: PlacePart | undefined, other: PlacePart | undefined): boolean {
  return one !== undefined && other !== undefined && placeKey(one) === placeKey(other);
}
