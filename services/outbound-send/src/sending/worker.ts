import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Excepted } from '../due-send-store.ts';
import type { SendStore } from '../send-store.ts';
import type { MailboxTurns } from './mailbox-turns.ts';
import type { Turn } from './turn.ts';
import { createUnderWay } from './under-way.ts';

export interface Worker {
  /** Something is due sooner than the next look. */
  wake(): void;
  close(): Promise<void>;
}

export interface WorkerDeps {
  sends: Pick<SendStore, 'claimDue' | 'putBack'>;
  run(send: SendDocument, turn: Turn): Promise<unknown>;
  turns: Pick<MailboxTurns, 'now' | 'excepted' | 'present' | 'isFull'>;
  /** How many sends are taken up at once. */
  concurrency: number;
  leaseMs: number;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const REST_MS = 1_000;
const REST_AFTER_FAILURE_MS = 5_000;

/** Takes up what is due: replies whose time has come, what a dead process left, outcomes that are unknown. */
export function startWorker({ sends, run, turns, concurrency, leaseMs, context }: WorkerDeps): Worker {
  const { clock, log } = context;
  const underWay = createUnderWay(clock);
  let closed = false;
  let rest = new AbortController();

  const claim = (except: Excepted) => sends.claimDue(clock.date(), new Date(clock.now() + leaseMs), except);
  const work = async (send: SendDocument, turn: Turn): Promise<void> => {
    try {
      await run(send, turn);
    } catch (error) {
      log.error({ err: error, sendId: send._id }, 'a send is taken up again later');
    }
    await turn.leave();
    // What had no turn may have one now.
    rest.abort();
  };
  const takeUp = async (): Promise<boolean> => {
    const send = await claimFairly(claim, turns);
    if (!send) return false;
    const turn = await turns.now(send);
    // Others have its mailbox's turns, or it rests: it stays due.
    if (!turn) return sends.putBack(send.workspaceId, send, clock.date()).then(() => true);
    underWay.add(work(send, turn));
    return true;
  };
  const hasRoom = () => underWay.prompt() < concurrency && !turns.isFull();
  /** How long to rest now. */
  const round = async (): Promise<number> => {
    try {
      while (!closed && hasRoom() && (await takeUp()));
      if (hasRoom() || underWay.prompt() === 0) return REST_MS;
      await underWay.next();
      return 0;
    } catch (error) {
      log.error({ err: error }, 'could not look for sends that are due');
      return REST_AFTER_FAILURE_MS;
    }
  };
  const loop = async (): Promise<void> => {
    while (!closed) {
      // Before the round: whoever wakes it in the middle shortens the rest behind it.
      rest = new AbortController();
      await clock.sleep(await round(), rest.signal).catch(() => undefined);
    }
  };
  const running = loop();

  return {
    wake: () => rest.abort(),
    close: async () => {
      closed = true;
      rest.abort();
      await running;
      await underWay.settled();
    },
  };
}

/** Workspaces that have nothing on its way come first: one with much mail leaves room for one with little. */
async function claimFairly(
  claim: (except: Excepted) => Promise<SendDocument | null>,
  turns: WorkerDeps['turns'],
): Promise<SendDocument | null> {
  const { mailboxIds, workspaceIds } = turns.excepted();
  const present = turns.present();
  const first = present.length > 0 ? await claim({ mailboxIds, workspaceIds: present }) : null;
  return first ?? claim({ mailboxIds, workspaceIds });
}
