import type { Worker } from 'node:worker_threads';
import { openWorkerThread, startWorker } from '@postroom/runtime/worker-thread';
import type { AskedParts, FoundParts } from './parts.ts';

interface Limits {
  ms: number;
  signal: AbortSignal;
}

export interface PartsRequest {
  raw: Uint8Array;
  asked: AskedParts;
}

const HEAP_MB = 64;

/**
 * Takes parts out of a message in a thread of its own. A message that takes too much time or memory is refused; a caller
 * who has left ends the thread.
 */
export async function readParts(
  raw: Uint8Array,
  asked: AskedParts,
  limits: Limits,
  start: () => Worker = () => startWorker(__dirname, 'parts-worker', { maxOldGenerationSizeMb: HEAP_MB }),
): Promise<FoundParts> {
  limits.signal.throwIfAborted();
  const thread = openWorkerThread<PartsRequest, FoundParts>(start());
  try {
    const outcome = await thread.ask({ raw, asked }, limits);
    if (outcome === 'unloaded') throw new Error('no thread could load the code that takes messages apart');
    return typeof outcome === 'string' ? { kind: 'refused' } : outcome.answer;
  } finally {
    void thread.end();
  }
}
