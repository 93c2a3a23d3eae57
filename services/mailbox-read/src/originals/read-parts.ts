import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AskedParts, FoundParts } from './parts.ts';

interface Limits {
  ms: number;
  signal: AbortSignal;
}

const HEAP_MB = 64;

/**
 * Takes parts out of a message in a thread of its own. A message that takes too much time or memory is refused; a caller
 * who has left ends the thread.
 */
export function readParts(
  raw: Uint8Array,
  asked: AskedParts,
  { ms, signal }: Limits,
  start = startPartsWorker,
): Promise<FoundParts> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = start({ raw, asked });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      void worker.terminate();
    };
    const refuse = () => {
      end();
      resolve({ kind: 'refused' });
    };
    const leave = () => {
      end();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(refuse, ms);
    signal.addEventListener('abort', leave, { once: true });
    worker.once('message', (found: FoundParts) => {
      end();
      resolve(found);
    });
    // Without a listener an error would end the process; a thread without memory ends so, too.
    worker.on('error', refuse);
    worker.once('exit', refuse);
  });
}

/** From the sources under tsx and jest, and from the built file beside this one elsewhere. */
function startPartsWorker(workerData: { raw: Uint8Array; asked: AskedParts }): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--conditions=@postroom/source', '-r', require.resolve('tsx/cjs')] : [];
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  return new Worker(join(__dirname, `parts-worker${extension}`), { workerData, execArgv, resourceLimits });
}
