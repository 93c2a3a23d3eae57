import type { SendPermitsDocument } from '@postroom/mail-store/documents/send';
import { FURTHEST_MS, type PermitStore } from './permit-store.ts';
import { heldPermit, type SendPermit, type PermitDeps } from './held-permit.ts';
import { createLocalPermits, type Leave, type PermitBounds, type PermitOwner } from './local-permits.ts';

export type { PermitOwner, PermitStore, SendPermit };

/** Mailboxes and workspaces whose sends are not claimed now. */
export interface Excepted {
  mailboxIds: readonly string[];
  workspaceIds: readonly string[];
}

export interface SendPermits {
  /** A permit for a message that a caller waits for; nothing when none becomes free in that time. */
  within(whose: PermitOwner, limitMs: number): Promise<SendPermit | undefined>;
  /** A permit for an automatic message; nothing while its mailbox is busy, pauses, or has reached its pace. */
  now(whose: PermitOwner): Promise<SendPermit | undefined>;
  /** Mailboxes and workspaces without a free permit. */
  excepted(): Excepted;
  /** Workspaces that have mail on its way through this process. */
  present(): string[];
  isFull(): boolean;
}

export interface SendPermitOptions {
  bounds: PermitBounds;
  /** The number of automatic messages of one mailbox in a minute. */
  perMinute: number;
}

type Ask = (
  whose: PermitOwner,
  isPaced: boolean,
  onLeft: (restsUntil: Date | undefined) => void,
) => Promise<SendPermit | Date>;

const MINUTE_MS = 60_000;
/** The interval in which a caller asks again for a permit of other processes. The next free one is kept for it so long. */
const ASK_AGAIN_MS = 250;
const KEPT_FOR_CALLER_MS = 4 * ASK_AGAIN_MS;
const BUSY_MS = 1_000;

/**
 * Permits that all processes share, behind those of this process: the connections, the pace and the pauses of a mailbox
 * are the same however many processes send for it.
 */
export function createSendPermits(deps: PermitDeps, options: SendPermitOptions): SendPermits {
  const { clock } = deps.context;
  const here = createLocalPermits(options.bounds, clock);
  const ask = asking(deps, options);
  /** Mailboxes with a known time of the next free permit. */
  const heldBack = new Map<string, Date>();

  const askFor = async (whose: PermitOwner, isPaced: boolean, leave: Leave): Promise<SendPermit | undefined> => {
    const permit = await ask(whose, isPaced, (restsUntil) => {
      if (restsUntil) heldBack.set(whose.mailboxId, restsUntil);
      else heldBack.delete(whose.mailboxId);
      leave();
    });
    if (!(permit instanceof Date)) return permit;
    if (isPaced) heldBack.set(whose.mailboxId, permit);
    return undefined;
  };

  return {
    async within(whose, limitMs) {
      const until = clock.now() + limitMs;
      const leave = await here.wait(whose, limitMs);
      return (
        leave &&
        keeping(leave, async () => {
          for (;;) {
            const permit = await askFor(whose, false, leave);
            const leftMs = until - clock.now();
            if (permit || leftMs <= 0) return permit;
            await clock.sleep(Math.min(ASK_AGAIN_MS, leftMs));
          }
        })
      );
    },
    now: async (whose) => {
      const leave = here.take(whose);
      return leave && keeping(leave, () => askFor(whose, true, leave));
    },
    excepted: () => {
      const { mailboxIds, workspaceIds } = here.atTheirBound();
      const isOver = (until: Date) => until <= clock.date() || until.getTime() > clock.now() + FURTHEST_MS;
      for (const [mailboxId, until] of heldBack) if (isOver(until)) heldBack.delete(mailboxId);
      return { mailboxIds: [...mailboxIds, ...heldBack.keys()], workspaceIds };
    },
    present: here.present,
    isFull: here.isFull,
  };
}

/** The permit of this process is held as long as the shared one. */
async function keeping(leave: Leave, ask: () => Promise<SendPermit | undefined>): Promise<SendPermit | undefined> {
  let permit: SendPermit | undefined;
  try {
    permit = await ask();
  } finally {
    if (!permit) leave();
  }
  return permit;
}

/** A shared permit, or the time to ask again. */
function asking(deps: PermitDeps, { bounds: { perMailbox: most }, perMinute }: SendPermitOptions): Ask {
  const { store, leaseMs } = deps;
  const { clock, ids } = deps.context;
  const pace = { perMessageMs: MINUTE_MS / perMinute, aheadMs: MINUTE_MS };

  return async (whose, isPaced, onLeft) => {
    const { workspaceId, mailboxId } = whose;
    const id = ids('trn');
    const take = async (): Promise<SendPermit | undefined> => {
      const permit = { id, until: new Date(clock.now() + leaseMs) };
      const asked = { permit, now: clock.date(), most, ...(isPaced && { pace }) };
      const taken = await store.take(workspaceId, mailboxId, asked);
      const pacedMs = isPaced ? pace.perMessageMs : 0;
      return taken ? heldPermit(whose, { ...permit, ...taken, pacedMs }, deps, onLeft) : undefined;
    };
    const first = await take();
    if (first) return first;
    // The mailbox may be new, or the holders of its permits may have died.
    const wantedUntil = isPaced ? undefined : new Date(clock.now() + KEPT_FOR_CALLER_MS);
    const stands = await store.read(workspaceId, mailboxId, clock.date(), wantedUntil);
    const freeFrom = stands ? freeFromOf(stands, most, isPaced, clock.now()) : clock.now();
    const second = freeFrom <= clock.now() ? await take() : undefined;
    return second ?? new Date(Math.max(freeFrom, clock.now() + BUSY_MS));
  };
}

/** A minute's worth may leave at once; what is past it waits until it is paid for. */
function freeFromOf(stands: SendPermitsDocument, most: number, isPaced: boolean, now: number): number {
  const { holders, wantedUntil, restsUntil, pacedUntil } = stands;
  const busyUntil = holders.length >= most ? now + BUSY_MS : now;
  if (!isPaced) return busyUntil;
  return Math.max(busyUntil, wantedUntil.getTime(), restsUntil.getTime(), pacedUntil - MINUTE_MS);
}
