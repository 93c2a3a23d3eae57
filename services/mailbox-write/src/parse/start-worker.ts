import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Of the 256 MB that one message may cost; the rest is for its bytes, which are not on this heap. */
const HEAP_MB = 144;

/** Starts a parser from the sources under tsx and jest, and from the built file beside this one elsewhere. */
export function startWorker(): Worker {
  const extension = extname(__filename);
  const sourceOptions = extension === '.ts' ? ['--conditions=@postroom/source', '-r', require.resolve('tsx/cjs')] : [];
  return new Worker(join(__dirname, `parse-worker${extension}`), {
    execArgv: sourceOptions,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
}
