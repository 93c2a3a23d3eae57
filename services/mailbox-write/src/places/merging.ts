import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { makeChanges } from './change-all.ts';
import type { PlacedEmail } from '../changes/as-read.ts';
import { movedTo, type Outcome } from './outcomes.ts';
import { isLeaving, isThere, unplacedKey } from '../place.ts';
import type { PlaceDeps } from './place-deps.ts';
import { removeEmails } from './removing.ts';

/** The round in which a copy that gave way was gone: any other is later. */
const LONG_AGO = 0;
/** Whoever moves mail by copying it takes the first away soon. */
const MOVING_MS = 3_600_000;

/**
 * A move is seen from its two ends, and from either first. Where the new one was seen before the old one had gone, it was
 * taken for a copy: then the email that is gone takes its place, and the copy goes. Both ends look for each other after
 * they were written, so that one of two that come at once sees the other. How many were brought together.
 */
export async function mergeMoved(
  deps: PlaceDeps,
  mailbox: MailboxDocument,
  identities: readonly string[],
): Promise<number> {
  const emails = await deps.stores.places.byIdentity(mailbox.workspaceId, mailbox._id, [...new Set(identities)]);
  const oldestFirst = emails.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  const taken = new Set<string>();
  let merged = 0;
  for (const gone of oldestFirst.filter(isMissed)) {
    const copy = oldestFirst.find((other) => !taken.has(other._id) && isCopyOf(gone, other, deps.context.clock.now()));
    if (!copy) continue;
    taken.add(copy._id);
    if (await merge(deps, mailbox, { gone, copy })) merged += 1;
  }
  return merged;
}

function isMissed(email: PlacedEmail): boolean {
  return email.gone?.isSure === true && email.place !== undefined && !isLeaving(email);
}

function isCopyOf(gone: PlacedEmail, other: PlacedEmail, now: number): boolean {
  if (other._id === gone._id || other.identity !== gone.identity || !isThere(other)) return false;
  return other.receivedAt > gone.receivedAt && now - other.receivedAt.getTime() < MOVING_MS;
}

interface Pair {
  gone: PlacedEmail;
  copy: PlacedEmail;
}

export async function merge(deps: PlaceDeps, mailbox: MailboxDocument, { gone, copy }: Pair): Promise<boolean> {
  const { workspaceId } = mailbox;
  const { place } = copy;
  if (!place) return false;
  // It gives its place up first, and would be removed by itself: after a crash the message is taken in again, as the one gone.
  const left = { messageKey: unplacedKey(copy._id), gone: { round: LONG_AGO, isSure: true } };
  const freed = await makeChanges(deps, mailbox, [deps.changeOf(workspaceId, copy, { set: left })]);
  if (freed.size === 0) return false;
  const shown = { id: copy.folderId, type: copy.folderType };
  const to = { place, shown, identity: copy.identity };
  const outcome = movedTo(gone, to, deps.context.clock.date(), inheritance(gone, copy));
  const moved = await makeChanges(deps, mailbox, [deps.changeOf(workspaceId, gone, outcome)]);
  if (moved.size === 0) return false;
  await removeEmails(deps, mailbox, [{ ...copy, ...left }], LONG_AGO + 1);
  return true;
}

/** What was done to the copy meanwhile, here or elsewhere, was meant for the one email that there is. */
function inheritance(gone: PlacedEmail, { isRead, isStarred, labelIds, providerChanges }: PlacedEmail): Outcome {
  const names = (['isRead', 'isStarred', 'folderId'] as const).filter((name) => !gone.providerChanges[name]);
  const flags = { isRead, isStarred };
  const set = Object.fromEntries(
    names.flatMap((name) => (name === 'folderId' ? [] : [[name, flags[name]] as const])),
  ) as Outcome['set'];
  const owes = Object.fromEntries(
    names.flatMap((name) => (providerChanges[name] ? [[name, providerChanges[name].to]] : [])),
  );
  const labelsAdded = labelIds.filter((labelId) => !gone.labelIds.includes(labelId));
  return { set: set ?? {}, owes: (owes as Outcome['owes']) ?? {}, labelsAdded };
}
