import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { mongo } from 'mongoose';
import type { EmailChange } from './email-change.ts';

/**
 * A bulk call reads its own mark back right after writing it, so this many other bulk calls would have to change
 * the same email in between for the mark to be pushed out.
 */
const MARKS_KEPT = 64;

/** The change as one update of one document, marked with the operation that makes it where there is one. */
export function updateOf(change: EmailChange, operationId?: string): mongo.UpdateFilter<EmailDocument> {
  const { set, labelAdded, labelRemoved, events, provider } = change;
  const owes = events.length > 0;
  const push = {
    ...(labelAdded !== undefined && { labelIds: labelAdded }),
    ...(owes && { owed: { $each: events } }),
    ...(provider.length > 0 && { owedToProvider: { $each: provider } }),
    ...(operationId !== undefined && { recentChanges: { $each: [operationId], $slice: -MARKS_KEPT } }),
  };
  const allSet = { ...set, ...(owes && { hasOwed: true }) };
  return {
    // Servers differ over empty operators, so those with nothing to do are left out.
    ...(Object.keys(allSet).length > 0 && { $set: allSet }),
    ...(Object.keys(push).length > 0 && { $push: push }),
    ...(labelRemoved !== undefined && { $pull: { labelIds: labelRemoved } }),
  };
}
