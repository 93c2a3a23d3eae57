import type { Client } from '@grpc/grpc-js';
import { openLane, type Lane, type LaneEvents } from './lane.ts';

export interface Lanes {
  /** The lane whose turn it is; undefined where there is none, and the call goes by itself then. */
  pick(): Lane | undefined;
  close(): void;
}

/** A peer's turn. One that does not know lanes has its turn too, and gets calls of their own. */
interface Place {
  peer: string;
  lane: Lane | undefined;
  since: number;
}

export interface LaneTimes {
  /** How long until peers are looked for again: a new one gets its share after this. */
  lookMs: number;
  /** How long after something changed. */
  soonMs: number;
  /**
   * How long a lane is used. It stays with its connection, which its peer ends 30 s after it became too old; by then
   * the last call must have had its ten seconds.
   */
  laneMs: number;
}

const TIMES: LaneTimes = { lookMs: 5_000, soonMs: 200, laneMs: 20_000 };

/**
 * Keeps one lane open to each peer while there are calls. Which peers there are gRPC tells nobody, but it balances
 * streams as it does calls: so a few are opened now and then, and each takes its peer's place. That also leaves
 * connections that grew old in time.
 */
export function createLanes(client: Client, { lookMs, soonMs, laneMs }: LaneTimes = TIMES): Lanes {
  let places: Place[] = [];
  let lookedAt = 0;
  let lookNext = 0;
  let turn = 0;
  let isClosed = false;

  const soon = () => {
    lookNext = Math.min(lookNext, performance.now() + soonMs);
  };
  const put = (peer: string, lane: Lane | undefined) => {
    const before = places.find((place) => place.peer === peer);
    // Two of one look met at the same peer, or the client was closed meanwhile.
    if (isClosed || (before && before.since >= lookedAt)) return lane?.retire();
    before?.lane?.retire();
    places = places.filter((place) => place !== before);
    places.push({ peer, lane, since: performance.now() });
    if (!before) soon();
  };
  const events: LaneEvents = {
    onOpen: (lane, peer) => put(peer, lane),
    onUnknown: (peer) => put(peer, undefined),
    onClose: (lane) => {
      if (!places.some((place) => place.lane === lane)) return;
      places = places.filter((place) => place.lane !== lane);
      soon();
    },
  };
  const look = (now: number) => {
    lookedAt = now;
    lookNext = now + lookMs;
    for (const { lane, since } of places) if (now - since > laneMs) lane?.retire();
    places = places.filter(({ since }) => now - since <= laneMs);
    // Calls come in between, so one stream for each peer would miss some of them.
    const streams = Math.max(2, 2 * places.length);
    for (let opened = 0; opened < streams; opened++) openLane(client, events);
  };

  return {
    pick: () => {
      const now = performance.now();
      if (now >= lookNext && !isClosed) look(now);
      for (let step = 0; step < places.length; step++) {
        const { lane } = places[turn++ % places.length] as Place;
        if (!lane || lane.isFree()) return lane;
      }
      return undefined;
    },
    close: () => {
      isClosed = true;
      for (const { lane } of places) lane?.retire();
      places = [];
    },
  };
}
