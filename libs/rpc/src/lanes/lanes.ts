import type { Client } from '@grpc/grpc-js';
import { openLane, type Lane, type LaneEvents } from './lane.ts';

export interface Lanes {
  /** The next stream in rotation; undefined when there is none, and the call is unary then. */
  pick(): Lane | undefined;
  close(): void;
}

/** The slot of a peer in the rotation. A peer without support has a slot, too, and gets unary calls. */
interface PeerSlot {
  peer: string;
  lane: Lane | undefined;
  since: number;
}

export interface LaneTimes {
  /** The interval of the search for peers. A new one gets its share after it. */
  lookMs: number;
  /** The delay of the search after a change. */
  soonMs: number;
  /**
   * The time for which a stream is used. Its peer ends its connection 30 s after it became too old. By then the last call
   * must have had its ten seconds.
   */
  laneMs: number;
}

const TIMES: LaneTimes = { lookMs: 5_000, soonMs: 200, laneMs: 20_000 };

/**
 * Keeps one multiplexed stream open to each peer while there are calls. gRPC does not tell its peers, but it balances
 * streams like calls. So a few streams are opened at intervals, and each replaces the one to the same peer. That also
 * leaves old connections in time.
 */
export function createLanes(client: Client, { lookMs, soonMs, laneMs }: LaneTimes = TIMES): Lanes {
  let slots: PeerSlot[] = [];
  let lookedAt = 0;
  let lookNext = 0;
  let position = 0;
  let isClosed = false;

  const soon = () => {
    lookNext = Math.min(lookNext, performance.now() + soonMs);
  };
  const put = (peer: string, lane: Lane | undefined) => {
    const before = slots.find((slot) => slot.peer === peer);
    // Two streams of one search reached the same peer, or the client was closed meanwhile.
    if (isClosed || (before && before.since >= lookedAt)) return lane?.retire();
    before?.lane?.retire();
    slots = slots.filter((slot) => slot !== before);
    slots.push({ peer, lane, since: performance.now() });
    if (!before) soon();
  };
  const events: LaneEvents = {
    onOpen: (lane, peer) => put(peer, lane),
    onUnknown: (peer) => put(peer, undefined),
    onClose: (lane) => {
      if (!slots.some((slot) => slot.lane === lane)) return;
      slots = slots.filter((slot) => slot.lane !== lane);
      soon();
    },
  };
  const look = (now: number) => {
    lookedAt = now;
    lookNext = now + lookMs;
    for (const { lane, since } of slots) if (now - since > laneMs) lane?.retire();
    slots = slots.filter(({ since }) => now - since <= laneMs);
    // Calls in between change the balancing, so one stream for each peer would miss some peers.
    const streams = Math.max(2, 2 * slots.length);
    for (let opened = 0; opened < streams; opened++) openLane(client, events);
  };

  return {
    pick: () => {
      const now = performance.now();
      if (now >= lookNext && !isClosed) look(now);
      return nextOf(slots, () => position++);
    },
    close: () => {
      isClosed = true;
      for (const { lane } of slots) lane?.retire();
      slots = [];
    },
  };
}

/** The next stream with room, in rotation; undefined when there is none, or when the next peer has no stream. */
function nextOf(slots: readonly PeerSlot[], step: () => number) {
  for (let tried = 0; tried < slots.length; tried++) {
    const { lane: next } = slots[step() % slots.length] as PeerSlot;
    if (!next || next.isFree()) return next;
  }
  return undefined;
}
