import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { compare, type Contender } from '../compare.ts';
import { type CircuitContender, cockatielCircuit, ownCircuit } from '../contenders/circuits.ts';
import { ownMicros } from '../own-micros.ts';

const CONCURRENCY = 32;
const answered = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = () => new Promise<never>(() => undefined);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The circuit before Redis, against the library that does both of its halves. */
export const circuit: Bench = {
  name: 'circuit',
  title: 'a call through the circuit before Redis, against cockatiel; and what each does of a server that hangs',
  run: async ({ effort }, print) => {
    const met = await compare(
      'circuit',
      {
        ours: calls(ownCircuit('ours', answered)),
        oursAgain: calls(ownCircuit('ours, again', answered)),
        others: [calls(cockatielCircuit()), calls({ ...cockatielCircuit(), name: 'none', run: (call) => call() })],
        targets: [{ against: 'cockatiel', atMost: 0.6 }],
        count: 100_000,
        effort,
      },
      print,
    );
    for (const make of [() => ownCircuit('ours', never), cockatielCircuit]) await tell(make, print);
    return met;
  },
};

function calls({ name, run }: CircuitContender): Contender {
  return {
    name,
    run: async (count) => {
      const before = ownMicros();
      for (let left = count; left > 0; left -= CONCURRENCY) {
        await Promise.all(Array.from({ length: CONCURRENCY }, () => run(answered)));
      }
      return ownMicros() - before;
    },
  };
}

/** Not held to a target: these are differences in kind, for docs/decisions. */
async function tell(make: () => CircuitContender, print: (line: string) => void): Promise<void> {
  const { waited, asked, name } = await hang(make());
  print(`  ${name}: a server hangs, 25 callers come in 200 ms: the last is let go after ${waited.toFixed(0)} ms`);
  print(`  ${name}: in the 2 s after, callers' own requests that were spent on asking again: ${asked}`);
  print(`  ${name}: this process stalls for 400 ms, the answer is there: ${await stall(make())}`);
}

async function hang({ run, stop, name }: CircuitContender) {
  const began = performance.now();
  let last = began;
  const letGo = () => (last = performance.now());
  const waiting: Promise<unknown>[] = [];
  for (let n = 0; n < 25; n += 1) {
    waiting.push(run(never).catch(letGo));
    await pause(8);
  }
  await Promise.all(waiting);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return never();
  };
  const until = performance.now() + 2_000;
  while (performance.now() < until) {
    await Promise.race([run(ask).catch(() => undefined), pause(10)]);
    await pause(10);
  }
  stop();
  return { name, waited: last - began, asked };
}

/** An answer that came in through the system, as from a socket, is read after timers have run. */
async function stall({ run, isOpen, stop }: CircuitContender): Promise<string> {
  const call = run(() => promisify(pbkdf2)('key', 'salt', 50_000, 32, 'sha256')).catch(() => undefined);
  await answered();
  for (const until = performance.now() + 400; performance.now() < until;) continue;
  await call;
  const verdict = isOpen() ? 'opens, though the server is there' : 'stays closed';
  stop();
  return verdict;
}
