import type { Client } from '@grpc/grpc-js';
import { openStream, type MultiplexedStream, type StreamEvents } from './stream.ts';

export interface StreamPool {
  /** The next stream in rotation; undefined when there is none, and the call is unary then. */
  pick(): MultiplexedStream | undefined;
  close(): void;
}

/** The slot of a peer in the rotation. A peer without support has a slot, too, and gets unary calls. */
interface PeerSlot {
  peer: string;
  stream: MultiplexedStream | undefined;
  since: number;
}

export interface StreamTimes {
  /** The interval of the search for peers. A new one gets its share after it. */
  searchMs: number;
  /** The delay of the search after a change. */
  soonMs: number;
  /**
   * The time for which a stream is used. Its peer ends its connection 30 s after it became too old. By then the last call
   * must have had its ten seconds.
   */
  streamMs: number;
}

const TIMES: StreamTimes = { searchMs: 5_000, soonMs: 200, streamMs: 20_000 };

/**
 * Keeps one multiplexed stream open to each peer while there are calls. gRPC does not tell its peers, but it balances
 * streams like calls. So a few streams are opened at intervals, and each replaces the one to the same peer. That also
 * leaves old connections in time.
 */
export function createStreamPool(client: Client, { searchMs, soonMs, streamMs }: StreamTimes = TIMES): StreamPool {
  let slots: PeerSlot[] = [];
  let searchedAt = 0;
  let nextSearchAt = 0;
  let position = 0;
  let isClosed = false;

  const soon = () => {
    nextSearchAt = Math.min(nextSearchAt, performance.now() + soonMs);
  };
  const put = (peer: string, stream: MultiplexedStream | undefined) => {
    const before = slots.find((slot) => slot.peer === peer);
    // Two streams of one search reached the same peer, or the client was closed meanwhile.
    if (isClosed || (before && before.since >= searchedAt)) return stream?.retire();
    before?.stream?.retire();
    slots = slots.filter((slot) => slot !== before);
    slots.push({ peer, stream, since: performance.now() });
    if (!before) soon();
  };
  const events: StreamEvents = {
    onOpen: (stream, peer) => put(peer, stream),
    onUnknown: (peer) => put(peer, undefined),
    onClose: (stream) => {
      if (!slots.some((slot) => slot.stream === stream)) return;
      slots = slots.filter((slot) => slot.stream !== stream);
      soon();
    },
  };
  const search = (now: number) => {
    searchedAt = now;
    nextSearchAt = now + searchMs;
    for (const { stream, since } of slots) if (now - since > streamMs) stream?.retire();
    slots = slots.filter(({ since }) => now - since <= streamMs);
    // Calls in between change the balancing, so one stream for each peer would miss some peers.
    const streams = Math.max(2, 2 * slots.length);
    for (let opened = 0; opened < streams; opened++) openStream(client, events);
  };

  return {
    pick: () => {
      const now = performance.now();
      if (now >= nextSearchAt && !isClosed) search(now);
      return nextOf(slots, () => position++);
    },
    close: () => {
      isClosed = true;
      for (const { stream } of slots) stream?.retire();
      slots = [];
    },
  };
}

/** The next stream with room, in rotation; undefined when there is none, or when the next peer has no stream. */
function nextOf(slots: readonly PeerSlot[], step: () => number) {
  for (let tried = 0; tried < slots.length; tried++) {
    const { stream: next } = slots[step() % slots.length] as PeerSlot;
    if (!next || next.isFree()) return next;
  }
  return undefined;
}
