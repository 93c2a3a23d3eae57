import type { SendTurnsDocument } from '@postroom/mail-store/documents/send';
import type { Excepted } from '../due-send-store.ts';
import { FURTHEST_MS } from '../turn-store.ts';
import { heldTurn, type Turn, type TurnDeps } from './turn.ts';
import { createTurns, type Leave, type TurnBounds, type Whose } from './turns.ts';

export interface MailboxTurns {
  /** A permit for a message that a caller waits for; nothing when none becomes free in that time. */
  within(whose: Whose, limitMs: number): Promise<Turn | undefined>;
  /** A permit for an automatic message; nothing while its mailbox is busy, pauses, or has reached its pace. */
  now(whose: Whose): Promise<Turn | undefined>;
  /** Mailboxes and workspaces without a free permit. */
  excepted(): Excepted;
  /** Workspaces that have mail on its way through this process. */
  present(): string[];
  isFull(): boolean;
}

export interface TurnOptions {
  bounds: TurnBounds;
  /** The number of automatic messages of one mailbox in a minute. */
  perMinute: number;
}

type Ask = (whose: Whose, isPaced: boolean, onLeft: (restsUntil: Date | undefined) => void) => Promise<Turn | Date>;

const MINUTE_MS = 60_000;
/** The interval in which a caller asks again for a permit of other processes. The next free one is kept for it so long. */
const ASK_AGAIN_MS = 250;
const KEPT_FOR_CALLER_MS = 4 * ASK_AGAIN_MS;
const BUSY_MS = 1_000;

/**
 * Permits that all processes share, behind those of this process: the connections, the pace and the pauses of a mailbox
 * are the same however many processes send for it.
 */
export function createMailboxTurns(deps: TurnDeps, options: TurnOptions): MailboxTurns {
  const { clock } = deps.context;
  const here = createTurns(options.bounds, clock);
  const ask = asking(deps, options);
  /** Mailboxes with a known time of the next free permit. */
  const heldBack = new Map<string, Date>();

  const askFor = async (whose: Whose, isPaced: boolean, leave: Leave): Promise<Turn | undefined> => {
    const turn = await ask(whose, isPaced, (restsUntil) => {
      if (restsUntil) heldBack.set(whose.mailboxId, restsUntil);
      else heldBack.delete(whose.mailboxId);
      leave();
    });
    if (!(turn instanceof Date)) return turn;
    if (isPaced) heldBack.set(whose.mailboxId, turn);
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
            const turn = await askFor(whose, false, leave);
            const leftMs = until - clock.now();
            if (turn || leftMs <= 0) return turn;
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
async function keeping(leave: Leave, ask: () => Promise<Turn | undefined>): Promise<Turn | undefined> {
  let turn: Turn | undefined;
  try {
    turn = await ask();
  } finally {
    if (!turn) leave();
  }
  return turn;
}

/** A shared permit, or the time to ask again. */
function asking(deps: TurnDeps, { bounds: { perMailbox: most }, perMinute }: TurnOptions): Ask {
  const { store, leaseMs } = deps;
  const { clock, ids } = deps.context;
  const pace = { perMessageMs: MINUTE_MS / perMinute, aheadMs: MINUTE_MS };

  return async (whose, isPaced, onLeft) => {
    const { workspaceId, mailboxId } = whose;
    const id = ids('trn');
    const take = async (): Promise<Turn | undefined> => {
      const turn = { id, until: new Date(clock.now() + leaseMs) };
      const asked = { turn, now: clock.date(), most, ...(isPaced && { pace }) };
      const taken = await store.take(workspaceId, mailboxId, asked);
      const pacedMs = isPaced ? pace.perMessageMs : 0;
      return taken ? heldTurn(whose, { ...turn, ...taken, pacedMs }, deps, onLeft) : undefined;
    };
    const first = await take();
    if (first) return first;
    // The mailbox may be new, or the holders of its permits may have died.
    const wantedUntil = isPaced ? undefined : new Date(clock.now() + KEPT_FOR_CALLER_MS);
    const stands = await store.look(workspaceId, mailboxId, clock.date(), wantedUntil);
    const freeFrom = stands ? freeFromOf(stands, most, isPaced, clock.now()) : clock.now();
    const second = freeFrom <= clock.now() ? await take() : undefined;
    return second ?? new Date(Math.max(freeFrom, clock.now() + BUSY_MS));
  };
}

/** A minute's worth may leave at once; what is past it waits until it is paid for. */
function freeFromOf(stands: SendTurnsDocument, most: number, isPaced: boolean, now: number): number {
  const { holders, wantedUntil, restsUntil, pacedUntil } = stands;
  const busyUntil = holders.length >= most ? now + BUSY_MS : now;
  if (!isPaced) return busyUntil;
  return Math.max(busyUntil, wantedUntil.getTime(), restsUntil.getTime(), pacedUntil - MINUTE_MS);
}
