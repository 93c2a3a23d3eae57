import type { Writable } from 'node:stream';
import { bounds } from '@postroom/contract/bounds';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import { createFairLimit, type FairLimit } from '@postroom/runtime/fair-limit';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import { RefusalWithHeaders } from '../response/answer.ts';
import { createPages } from './pages.ts';
import { createStreams, type Opening } from './streams.ts';
import { createWatches, type Waiting } from './watches.ts';

interface Deps {
  changes: Client<typeof ChangesServiceDefinition>;
  context: ServiceContext;
}

/** Long polls and streams wait here, so many of each for a workspace. */
export interface Feed {
  /** Whether a change behind this number came while the caller waited. */
  newer(workspaceId: string, after: number, waiting: Waiting): Promise<boolean>;
  /** Takes a slot, which is given back when the client is gone, and returns the call that begins the stream. */
  openStream(opening: Opening): (to: Writable) => void;
}

const EVERY_MS = 1_000;
const RETRY_SECONDS = 5;

export function createFeed({ changes, context }: Deps): Feed {
  const { clock, log, metrics, lifecycle, readiness } = context;
  const watches = createWatches({ changes, context });
  const streams = createStreams({ read: createPages({ changes, context }), watches, context });
  const polls = createFairLimit({ total: Infinity, perOwner: bounds.changes.waitingPolls });
  const slots = createFairLimit({ total: Infinity, perOwner: bounds.changes.streams });
  metrics.gauge('changes_streams', 'Open streams of changes.', () => streams.size);

  const tending = repeat(async () => streams.tend(), { name: 'the care of streams', everyMs: EVERY_MS, clock, log });
  lifecycle.add('care of streams', () => tending.close());
  const close = () => {
    watches.close();
    streams.close();
  };
  readiness.onDrain(close);
  lifecycle.add('feed', close);

  const take = (limit: FairLimit, workspaceId: string, what: string) => {
    const release = limit.tryAcquire(workspaceId);
    if (release) return release;
    const resetAt = new Date(clock.now() + RETRY_SECONDS * 1_000).toISOString();
    const message = `This workspace has ${limit.held(workspaceId)} ${what}; end one, or try again later.`;
    const headers = { 'Retry-After': String(RETRY_SECONDS) };
    throw new RefusalWithHeaders('RATE_LIMIT_EXCEEDED', headers, { message, details: { resetAt } });
  };

  return {
    async newer(workspaceId, after, waiting) {
      const release = take(polls, workspaceId, 'calls that wait for changes');
      return watches.newer(workspaceId, after, waiting).finally(release);
    },

    openStream(opening) {
      const { workspaceId, signal } = opening;
      const release = take(slots, workspaceId, 'streams open');
      if (signal.aborted) release();
      signal.addEventListener('abort', release, { once: true });
      return (to) => streams.begin(opening, to);
    },
  };
}
