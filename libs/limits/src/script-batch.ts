import type { CircuitBreaker } from '@postroom/runtime/circuit-breaker';
import type { CounterReading } from './counter-store.ts';
import { LIMIT_SCRIPT } from './limit-script.ts';
import type { RedisClient } from './redis-connection.ts';

/** A call in the words of the script. */
type Words = readonly [operation: string, ...numbers: number[]];

interface Call {
  words: Words;
  resolve: (reading: CounterReading) => void;
  reject: (error: unknown) => void;
}

type Scripted = { postroomLimit(...keysAndArguments: (string | number)[]): Promise<number[]> };
type Calls = readonly (readonly [workspaceId: string, calls: readonly Call[]])[];

/** The result of the script for one call. */
const NUMBERS = 6;
const refusals = [undefined, 'minute', 'month'] as const;
/** While a script runs its server does nothing else: with this many calls that is a millisecond. */
const MOST_CALLS = 256;

/**
 * Runs calls, those of one iteration of the event loop in one script: what a script costs besides its counting is
 * then paid once for all of them. Each is still decided by itself, those of one workspace in the order they came. On a
 * cluster a script may only touch what lies together, so there every workspace has a script of its own.
 */
export function createBatch(
  client: RedisClient,
  through: CircuitBreaker['run'],
): (workspaceId: string, words: Words) => Promise<CounterReading> {
  // On a cluster the client must know that the first word is the key, or it picks the wrong node.
  client.defineCommand('postroomLimit', { lua: LIMIT_SCRIPT, ...(client.isCluster && { numberOfKeys: 1 }) });
  const scripted = client as unknown as Scripted;
  let waiting = new Map<string, Call[]>();
  let size = 0;

  const send = async (calls: Calls): Promise<void> => {
    const keys = calls.map(([workspaceId]) => `{${workspaceId}}:limits`);
    const words = JSON.stringify(calls.map(([, ofWorkspace]) => ofWorkspace.map((call) => call.words)));
    const all = calls.flatMap(([, ofWorkspace]) => ofWorkspace);
    try {
      const answer = await through(() =>
        scripted.postroomLimit(...(client.isCluster ? keys : [keys.length, ...keys]), words),
      );
      all.forEach(({ resolve }, index) => resolve(readingAt(answer, index)));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  const flush = (): void => {
    const calls = [...waiting];
    waiting = new Map();
    size = 0;
    if (client.isCluster) for (const ofWorkspace of calls) void send([ofWorkspace]);
    else if (calls.length > 0) void send(calls);
  };

  return (workspaceId, words) =>
    new Promise((resolve, reject) => {
      if (size === 0) setImmediate(flush);
      const call = { words, resolve, reject };
      const before = waiting.get(workspaceId);
      if (before) before.push(call);
      else waiting.set(workspaceId, [call]);
      size += 1;
      if (size === MOST_CALLS) flush();
    });
}

function readingAt(answer: readonly number[], index: number): CounterReading {
  const [refused = 0, opened = 0, count = 0, monthEnds = 0, used = 0, born = 0] = answer.slice(
    1 + NUMBERS * index,
    1 + NUMBERS * (index + 1),
  );
  const refusedBy = refusals[refused];
  return { counters: { opened, count, monthEnds, used, born }, now: answer[0] ?? 0, ...(refusedBy && { refusedBy }) };
}
