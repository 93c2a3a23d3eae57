import { firstSchema } from './0001-first-schema.ts';
import { operations } from './0002-operations.ts';
import { eventsByName } from './0003-events-by-name.ts';
import { wordsAgain } from './0004-words-again.ts';
import { unsettledEmails } from './0005-unsettled-emails.ts';
import { forwardLogs } from './0006-forward-logs.ts';
import { sealedPasswords } from './0007-sealed-passwords.ts';
import { boundedEmails } from './0008-bounded-emails.ts';
import { monthFloors } from './0009-month-floors.ts';
import { sends } from './0010-sends.ts';
import { classifications } from './0011-classifications.ts';
import { backfills } from './0012-backfills.ts';
import { mailboxSync } from './0013-mailbox-sync.ts';
import { sendsByKind } from './0014-sends-by-kind.ts';
import { replies } from './0015-replies.ts';
import { sendsByMailbox } from './0016-sends-by-mailbox.ts';
import { tokenLocks } from './0017-token-locks.ts';
import { places } from './0018-places.ts';
import { tracedSends } from './0019-traced-sends.ts';
import { mailboxLeases } from './0020-mailbox-leases.ts';
import { units } from './0021-units.ts';
import { operationsOfEmails } from './0022-operations-of-emails.ts';
import { originals } from './0023-originals.ts';
import { evictableBodies } from './0024-evictable-bodies.ts';
import { owedOrders } from './0025-owed-orders.ts';
import { sendTurns } from './0026-send-turns.ts';
import { keptForAWhile } from './0027-kept-for-a-while.ts';
import { waitingByThread } from './0028-waiting-by-thread.ts';
import { guests } from './0029-guests.ts';
import { backfillsInTurn } from './0030-backfills-in-turn.ts';
import type { MigrationStep } from './step.ts';

/** In order: the first brings a database to version 1, the last to the version of this build. Nothing is taken out. */
export const steps: readonly MigrationStep[] = [
  firstSchema,
  operations,
  eventsByName,
  wordsAgain,
  unsettledEmails,
  forwardLogs,
  sealedPasswords,
  boundedEmails,
  monthFloors,
  sends,
  classifications,
  backfills,
  mailboxSync,
  sendsByKind,
  replies,
  sendsByMailbox,
  tokenLocks,
  places,
  tracedSends,
  mailboxLeases,
  units,
  operationsOfEmails,
  originals,
  evictableBodies,
  owedOrders,
  sendTurns,
  keptForAWhile,
  waitingByThread,
  guests,
  backfillsInTurn,
];
