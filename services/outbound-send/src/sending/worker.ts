import type { SendDocument } from '@postroom/mail-store/documents/send';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Excepted, SendPermits, SendPermit } from '../send-permits/send-permits.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { contactsServer } from '../stored-sends/send-states.ts';
import { createRunningSends } from './running-sends.ts';

interface SendWorker {
  /** Wakes the worker before its next poll. */
  wake(): void;
  close(): Promise<void>;
}

interface SendWorkerDeps {
  sends: Pick<SendStore, 'claimDue' | 'claimWithoutServer' | 'putBack'>;
  run(send: SendDocument, permit: SendPermit): Promise<unknown>;
  permits: Pick<SendPermits, 'now' | 'excepted' | 'present' | 'isFull'>;
  /** The number of sends that are taken up at once. */
  concurrency: number;
  leaseMs: number;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const REST_MS = 1_000;
const REST_AFTER_FAILURE_MS = 5_000;

/** For a send that contacts no server: it is stored, searched for or ended. */
const NO_PERMIT: SendPermit = {
  use: () => undefined,
  note: () => undefined,
  extend: async () => undefined,
  leave: async () => undefined,
};

/** Takes up due sends: replies at their time, sends of a dead process, and unknown outcomes. */
export function startSendWorker({ sends, run, permits, concurrency, leaseMs, context }: SendWorkerDeps): SendWorker {
  const { clock, log } = context;
  const running = createRunningSends(clock);
  /** Whether a send may be due that the last pass had no permit or no room for. */
  let isShort = false;

  const claims = claimsOf({ sends, leaseMs, context });
  const work = async (send: SendDocument, permit: SendPermit): Promise<void> => {
    const failed = (err: unknown) => log.error({ err, sendId: send._id }, 'a send is taken up again later');
    await run(send, permit).catch(failed);
    await permit.leave();
    // A send that had no permit may have one now.
    if (isShort) passes.wake();
  };
  const takeUp = async (): Promise<boolean> => {
    const excepted = permits.excepted();
    if (hasAny(excepted)) isShort = true;
    const send = await claimFairly(claims, excepted, permits.present());
    if (!send) return false;
    const permit = contactsServer(send) ? await permits.now(send) : NO_PERMIT;
    // Other processes hold the permits of its mailbox, or it pauses. The send stays due.
    if (!permit) {
      isShort = true;
      await sends.putBack(send.workspaceId, send, clock.date());
      return true;
    }
    running.add(work(send, permit));
    return true;
  };
  const hasCapacity = () => running.prompt() < concurrency && !permits.isFull();
  /** Returns the pause before the next pass. */
  const pass = async (closing: AbortSignal): Promise<number> => {
    try {
      isShort = false;
      while (!closing.aborted && hasCapacity() && (await takeUp()));
      if (!hasCapacity()) isShort = true;
      if (hasCapacity() || running.prompt() === 0) return REST_MS;
      await running.next();
      return 0;
    } catch (error) {
      log.error({ err: error }, 'due sends not read; the next pass tries again');
      return REST_AFTER_FAILURE_MS;
    }
  };
  const passes = repeat(pass, { name: 'the poll for due sends', everyMs: REST_MS, clock, log });

  return {
    wake: passes.wake,
    close: async () => {
      await passes.close();
      await running.idle();
    },
  };
}

/** Each claim holds its send for a lease. */
function claimsOf({ sends, leaseMs, context: { clock } }: Pick<SendWorkerDeps, 'sends' | 'leaseMs' | 'context'>) {
  const lease = () => new Date(clock.now() + leaseMs);
  return {
    due: (except: Excepted) => sends.claimDue(clock.date(), lease(), except),
    withoutServer: () => sends.claimWithoutServer(clock.date(), lease()),
  };
}

const hasAny = ({ mailboxIds, workspaceIds }: Excepted): boolean => mailboxIds.length + workspaceIds.length > 0;

/**
 * Workspaces without a message in transit come first, so that one with much mail does not delay the others. A mailbox that
 * is excepted may have sends that contact no server.
 */
async function claimFairly(
  { due, withoutServer }: ReturnType<typeof claimsOf>,
  excepted: Excepted,
  present: string[],
): Promise<SendDocument | null> {
  const free = hasAny(excepted) ? await withoutServer() : null;
  if (free) return free;
  const { mailboxIds } = excepted;
  const first = present.length > 0 ? await due({ mailboxIds, workspaceIds: present }) : null;
  return first ?? due(excepted);
}
