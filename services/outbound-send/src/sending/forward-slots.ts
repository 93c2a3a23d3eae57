import { createKeyedQueue } from '@postroom/runtime/keyed-queue';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { Clock } from '@postroom/runtime/clock';
import type { ForwardSlotStore } from './forward-slot-store.ts';

/** When a forward may leave. */
export interface Slot {
  at: Date;
  /** Why it has to wait until then; null where it may leave now. */
  waitsFor: string | null;
  /** Why it does not wait any longer. */
  givenUp: string | null;
}

export interface ForwardSlots {
  /** Chooses the slot of a forward; `keep` writes it down before the next forward of the workspace chooses. */
  choose<T>(send: SendDocument, keep: (slot: Slot) => Promise<T>): Promise<T>;
}

interface SlotDeps {
  store: ForwardSlotStore;
  clock: Pick<Clock, 'now' | 'date'>;
  perHour: { rule: number; workspace: number };
  /** Forwards of one workspace that may wait: each keeps its message. */
  mostWaiting: number;
  /** Counts a forward that found an hour full, and its outcome. */
  count(outcome: 'waits' | 'skipped', full: FullHour): void;
}

/** The reasons that people read, by whose hour is full. */
const FULL_HOUR = {
  rule: 'the rule has forwarded as many emails within an hour as it may',
  workspace: 'the rules of the workspace have forwarded as many emails within an hour as they may',
} as const;
type FullHour = keyof typeof FULL_HOUR;

const HOUR_MS = 3_600_000;
const LONGEST_WAIT_MS = 24 * HOUR_MS;
/** A forward that leaves later than its slot takes one of now, so that a backlog keeps the bounds, too. */
const PUNCTUAL_MS = 60_000;

/**
 * The bounds of an hour. A forward that finds its hour full takes the first free slot. It checks the slot again when it
 * leaves: when two processes have chosen one slot, the send with the higher id takes another.
 */
export function createForwardSlots(deps: SlotDeps): ForwardSlots {
  const oneByOne = createKeyedQueue();
  return {
    choose: (send, keep) => oneByOne.add(send.workspaceId, async () => keep(await slotOf(send, deps))),
  };
}

async function slotOf(send: SendDocument, deps: SlotDeps): Promise<Slot> {
  const { clock, count } = deps;
  const latest = send.createdAt.getTime() + LONGEST_WAIT_MS;
  const own = send.scheduledSendAt?.getTime() ?? 0;
  const { at, full } = await firstFree(send, own < clock.now() - PUNCTUAL_MS ? clock.now() : own, latest, deps);
  if (at <= clock.now()) return { at: new Date(at), waitsFor: null, givenUp: null };
  const limit = at > latest ? 'no hour within a day has room' : await tooMany(send, deps);
  count(limit === null ? 'waits' : 'skipped', full);
  const waitsFor = FULL_HOUR[full];
  return { at: new Date(at), waitsFor, givenUp: limit === null ? null : `${waitsFor}, and ${limit}` };
}

async function tooMany(send: SendDocument, { store, clock, mostWaiting }: SlotDeps): Promise<string | null> {
  const isWaiting = send.scheduledSendAt !== null && send.scheduledSendAt > send.createdAt;
  const waiting = isWaiting ? 0 : await store.countWaiting(send.workspaceId, clock.date(), mostWaiting);
  return waiting < mostWaiting ? null : `${mostWaiting} forwards of the workspace wait already`;
}

/** The first time, from one on, at which neither bound is reached; a time past the latest where there is none. */
async function firstFree(send: SendDocument, from: number, latest: number, { store, perHour }: SlotDeps) {
  const bounds = [
    { full: 'rule', of: { ruleId: send.ruleId }, most: perHour.rule },
    { full: 'workspace', of: {}, most: perHour.workspace },
  ] as const;
  let at = from;
  // Of several the first, because it is why the forward does not leave now.
  let full: FullHour | undefined;
  for (let tried = -1; tried < at && at <= latest;) {
    tried = at;
    // The forwards of the rule are among them, so that one count mostly answers for both bounds.
    const all = await store.countInHour(send.workspaceId, { send, at: new Date(at), of: {} }, perHour.workspace);
    if (all < Math.min(perHour.rule, perHour.workspace)) break;
    for (const { of, most, full: which } of bounds) {
      const query = { send, at: new Date(at), of };
      const left = which === 'workspace' ? all : await store.countInHour(send.workspaceId, query, most);
      if (left < most) continue;
      const last = await store.nthLast(send.workspaceId, query, most);
      at = Math.max(at + 1, (last?.getTime() ?? at) + HOUR_MS);
      full ??= which;
      break;
    }
  }
  return { at, full: full ?? 'rule' };
}
