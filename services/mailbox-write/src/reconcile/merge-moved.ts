import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { isolateFailures } from '../ingest/isolate-failures.ts';
import { HANDOVER_PASS, isHandedOver, isLeaving, locationKey } from '../location/location.ts';
import { makeChanges } from './change-all.ts';
import { nextWrites, type Write } from './hand-over-location.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { removeEmails } from './remove-emails.ts';

/** Each attempt in vain means that somebody else has changed all of the emails meanwhile. */
const MOST_FAILED_ATTEMPTS = 50;
const AT_ONCE = 500;

/**
 * Gives emails that are gone the locations of their copies, one write at a time (docs/decisions/0013): what is to be
 * written follows from what is stored, so a repeat goes on with what a crash or somebody else's change has left.
 * Gives back how many have got theirs.
 */
export async function mergeMoved(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  identities: readonly string[],
): Promise<number> {
  const names = [...new Set(identities)];
  let moved = 0;
  for (let from = 0; from < names.length; from += AT_ONCE)
    moved += await mergeSome(deps, mailbox, names.slice(from, from + AT_ONCE));
  return moved;
}

async function mergeSome(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  identities: readonly string[],
): Promise<number> {
  let moved = 0;
  const givenUp = new Set<string>();
  for (let failedAttempts = 0; failedAttempts < MOST_FAILED_ATTEMPTS;) {
    const emails = await emailsOf(deps, mailbox, identities);
    const writes = nextWrites(emails, deps.context.clock.date()).filter(({ email }) => !givenUp.has(email._id));
    if (writes.length === 0) {
      await removeEmails(deps, mailbox, emails.filter(hasGivenLocation), HANDOVER_PASS + 1);
      return moved;
    }
    const written = await write(deps, mailbox, writes, (emailId) => givenUp.add(emailId));
    moved += written.filter(({ isLast }) => isLast).length;
    failedAttempts = written.length > 0 ? 0 : failedAttempts + 1;
  }
  throw new Error('emails that move were changed by others all the time');
}

/** Every email of these messages, and those that hold the locations that some of them are to have. */
async function emailsOf(
  { stores: { locations } }: ReconcileDeps,
  mailbox: MailboxDocument,
  identities: readonly string[],
) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const emails = await locations.byIdentity(workspaceId, mailboxId, identities);
  const wanted = emails
    .filter(isHandedOver)
    .flatMap(({ place: location }) => (location ? [locationKey(location)] : []));
  const holders = await locations.byKeys(workspaceId, mailboxId, wanted);
  return [...new Map([...emails, ...holders].map((email) => [email._id, email])).values()];
}

async function write(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  writes: readonly Write[],
  giveUp: (emailId: string) => void,
): Promise<Write[]> {
  const { workspaceId } = mailbox;
  const written: Write[] = [];
  const writeSome = async (some: readonly Write[]) => {
    const labels = await labelsOf(
      deps,
      workspaceId,
      some.flatMap(({ change }) => change.labelsAdded ?? []),
    );
    const changes = some.map(({ email, change }) => deps.changeOf(workspaceId, email, change, labels));
    const changed = await makeChanges(deps, mailbox, changes);
    written.push(...some.filter(({ email }) => changed.has(email._id)));
  };
  await isolateFailures(writes, writeSome, ({ email: { _id: emailId } }, error) => {
    deps.context.log.error({ err: error, emailId }, 'the move of an email cannot be stored; the next pass tries again');
    giveUp(emailId);
  });
  return written;
}

/** The labels that an email inherits from its copy, for the events of it. */
export async function labelsOf(
  { stores }: { stores: Pick<ReconcileDeps['stores'], 'lookups'> },
  workspaceId: string,
  labelIds: readonly string[],
) {
  return labelIds.length === 0 ? [] : stores.lookups.labels(workspaceId, [...new Set(labelIds)], QUERY_BUDGET);
}

/** A copy that has given its location up. */
const hasGivenLocation = (email: EmailAsRead): boolean => isLeaving(email) && email.gone?.round === HANDOVER_PASS;

/** Completes the moves that a crash has cut off. Everything else about a mailbox may rely on that. */
export async function completeMoves(deps: ReconcileDeps, mailbox: MailboxDocument): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const cutOff = await deps.stores.gone.handedOver(workspaceId, mailboxId);
  await mergeMoved(
    deps,
    mailbox,
    cutOff.map(({ identity }) => identity),
  );
}
