import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hostileMessages } from '../mail/hostile.ts';
import type { ParserName } from './parsers.ts';

/** Limits of time and heap for one message. They are wider than those of the parser threads of mailbox-write. */
const LIMIT_MS = 5_000;
const HEAP_MB = 224;
const WORKER = join(__dirname, 'parser-worker.ts');

type Fate = 'read' | 'refused' | 'too slow' | 'out of memory';

interface Tally {
  fates: Record<Fate, number>;
  /** Messages that ended their parser thread. */
  lost: string[];
  seconds: number;
  slowest: { name: string; seconds: number };
}

/** Parses the first `count` hostile messages under these limits. A thread that dies is replaced. */
export async function parseHostile(parser: ParserName, count: number): Promise<Tally> {
  const tally: Tally = {
    fates: { read: 0, refused: 0, 'too slow': 0, 'out of memory': 0 },
    lost: [],
    seconds: 0,
    slowest: { name: '', seconds: 0 },
  };
  let worker = await start(parser);
  for (const make of hostileMessages.slice(0, count)) {
    const { name, raw } = make();
    const bytes = new Uint8Array(raw());
    const started = performance.now();
    const fate = await fateOf(worker, bytes);
    const seconds = (performance.now() - started) / 1_000;
    tally.fates[fate] += 1;
    tally.seconds += seconds;
    if (seconds > tally.slowest.seconds) tally.slowest = { name, seconds };
    if (fate === 'read' || fate === 'refused') continue;
    tally.lost.push(`${name} (${fate})`);
    await worker.terminate();
    worker = await start(parser);
  }
  await worker.terminate();
  return tally;
}

async function start(parser: ParserName): Promise<Worker> {
  const worker = new Worker(WORKER, {
    workerData: parser,
    execArgv: ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // Running out of memory is announced here, and followed by the exit.
  worker.on('error', () => undefined);
  await once(worker, 'message');
  return worker;
}

function fateOf(worker: Worker, raw: Uint8Array): Promise<Fate> {
  return new Promise((resolve) => {
    const end = (fate: Fate) => {
      clearTimeout(timer);
      // These and no others: a thread has listeners of its own.
      worker.off('message', end).off('exit', onExit);
      resolve(fate);
    };
    const onExit = () => end('out of memory');
    const timer = setTimeout(() => end('too slow'), LIMIT_MS);
    worker.on('message', end).on('exit', onExit);
    worker.postMessage(raw, [raw.buffer as ArrayBuffer]);
  });
}
