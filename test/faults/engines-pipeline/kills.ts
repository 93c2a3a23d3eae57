import { seededFaults } from '@postroom/events/faults';
import { SERVICES } from '@postroom/local/services';
import type { PipelineProcesses } from '../../support/pipeline-processes.ts';

export interface Killing {
  seed: number;
  /** Until then somebody is killed again and again. */
  isOver: () => boolean;
  isHalfDone: () => boolean;
  /** For how long nothing has moved: what waits, ever longer after each kill in its way, then has its time. */
  stillMs: () => number;
  longestPauseMs: number;
  /** Restarts the broker, or one after the other, once half of the mail is done; undefined where nobody can. */
  restartBroker: (() => Promise<void>) | undefined;
}

export interface Kills {
  total: number;
  broker: 'restarted' | 'steady';
}

const LONGEST_STILL_MS = 60_000;

/** kill -9 of one service after the other, by the seed, with a new process in its place; told of as they come. */
export async function killAtRandom(pipeline: PipelineProcesses, options: Killing, kills: Kills): Promise<void> {
  const { seed, longestPauseMs, restartBroker } = options;
  const random = seededFaults({ seed, delay: { share: 1, maxMs: longestPauseMs } });
  while (!options.isOver()) {
    await new Promise((resolve) => setTimeout(resolve, random.delayMs()));
    if (options.stillMs() > LONGEST_STILL_MS) continue;
    const victim = SERVICES[random.delayMs() % SERVICES.length];
    if (victim) await pipeline.killAndRestart(victim);
    kills.total += 1;
    if (!restartBroker || kills.broker === 'restarted' || !options.isHalfDone()) continue;
    await restartBroker();
    kills.broker = 'restarted';
  }
}
