import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { bounds } from '@postroom/contract/bounds';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ReadPage } from './pages.ts';
import { resultWithin } from '@postroom/runtime/within';
import type { Watches } from './watches.ts';

interface Deps {
  read: ReadPage;
  watches: Pick<Watches, 'newer'>;
  context: Pick<ServiceContext, 'clock'>;
}

export interface Opening {
  workspaceId: string;
  /** The number of the change behind which the stream begins. */
  after: number;
  /** Whether its key would still be let in. */
  isStillAllowed: () => Promise<boolean>;
  /** Aborted when its client is gone. */
  signal: AbortSignal;
}

interface Stream extends Opening {
  to: Writable;
  over: AbortController;
  openedAt: number;
  commentedAt: number;
  checkedAt: number;
}

const LASTS_MS = bounds.changes.streamMs;
const COMMENT_MS = 15_000;
/** A key is known for 55 seconds at most without its service. A revoked one ends its streams within a minute. */
const CHECK_MS = 2_000;
const CHECK_LIMIT_MS = 2_000;
/** The pause after a failed read, for a service that restarts. */
const PAUSE_MS = 1_000;
const NOT_YET_MS = 100;
const RETRY = 'retry: 1000\n\n';
const COMMENT = ':\n\n';

export type Streams = ReturnType<typeof createStreams>;

/** The streams of this gateway. Each of them holds one page at most, which its client has yet to take. */
export function createStreams(deps: Deps) {
  const { clock } = deps.context;
  const streams = new Set<Stream>();
  let isClosed = false;

  const check = async (stream: Stream): Promise<void> => {
    const isAllowed = await resultWithin({ ms: CHECK_LIMIT_MS, clock }, stream.isStillAllowed());
    if (!isAllowed) stream.over.abort();
  };
  const tend = (stream: Stream, now: number): void => {
    if (now - stream.openedAt >= LASTS_MS) return stream.over.abort();
    if (now - stream.commentedAt >= COMMENT_MS) {
      stream.commentedAt = now;
      if (!stream.to.writableNeedDrain) stream.to.write(COMMENT);
    }
    if (now - stream.checkedAt < CHECK_MS) return;
    stream.checkedAt = now;
    void check(stream);
  };

  return {
    /** Begins to tell, until the client is gone or the time is over. */
    begin(opening: Opening, to: Writable): void {
      const now = clock.now();
      const over = new AbortController();
      const stream = { ...opening, to, over, openedAt: now, commentedAt: now, checkedAt: now };
      opening.signal.addEventListener('abort', () => over.abort(), { once: true });
      if (isClosed || opening.signal.aborted) over.abort();
      to.write(RETRY);
      streams.add(stream);
      void tell(stream, deps).finally(() => {
        streams.delete(stream);
        to.end(RETRY);
      });
    },

    /** To be called every second. */
    tend(): void {
      const now = clock.now();
      for (const stream of streams) tend(stream, now);
    },

    close(): void {
      isClosed = true;
      for (const { over } of streams) over.abort();
    },

    get size() {
      return streams.size;
    },
  };
}

/** Tells every change behind the position of the stream, in order, for as long as its client takes them. */
async function tell({ workspaceId, after, to, over: { signal } }: Stream, { read, watches, context }: Deps) {
  for (let position = after, toldAt = -1; !signal.aborted;) {
    const page = await read(workspaceId, position).catch(() => undefined);
    if (signal.aborted) return;
    if (!page) await context.clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    else if (page.bytes.length === 0) {
      // A change that is told of may not be in the pages yet, because these show only changes that a majority has.
      if (toldAt === position) await context.clock.sleep(NOT_YET_MS, signal).catch(() => undefined);
      const isNewer = await watches.newer(workspaceId, position, { ms: LASTS_MS, signal });
      toldAt = isNewer ? position : -1;
    }
    // Changes in between are kept no longer. The client comes back, and is told so.
    else if (page.first > position + 1) return;
    else {
      position = page.end;
      // The connection of a client that takes too long is ended by `http/connection/connections.ts`.
      if (!to.write(page.bytes)) await once(to, 'drain', { signal }).catch(() => undefined);
    }
  }
}
