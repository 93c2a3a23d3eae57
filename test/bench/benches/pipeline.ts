import type { Bench } from '../bench.ts';
import { type Effort, shareOf } from '../compare.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

const RATE = 50;
const RATES = [25, 50, 75, 100, 150, 200, 300, 400];
const SECONDS = 15;
const OLDEST_MS = 5_000;

/** Letters handed in by SMTP at a steady rate, until their email.classified is heard; the model answers at once. */
export const pipeline: Bench = {
  name: 'pipeline',
  title: 'an email by SMTP to its email.classified: how long, at which rate, at what cost; reported, without a target',
  run: async (config, print) => {
    const { effort } = config;
    const way = await openPipeline(config);
    try {
      // Code that runs for the first time is slow, and so are connections that are only being made.
      await drive(way, RATE / 2, shareOf(effort, 5));
      const before = await way.micros();
      const { latencies } = await drive(way, RATE, shareOf(effort, SECONDS));
      const after = await way.micros();
      const sorted = latencies.toSorted((one, other) => one - other);
      const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
      print(`  ${way.bus}, ${RATE} emails/s: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, worst ${at(1)} ms`);
      for (const [name, used] of after) {
        const micros = (used - (before.get(name) ?? 0)) / latencies.length;
        print(`    ${name.padEnd(28)}${Math.round(micros)} us of processor time an email`);
      }
      print(
        `  highest rate with the oldest under ${OLDEST_MS / 1_000} s: ${await highestRate(way, effort, print)} emails/s`,
      );
      return true;
    } finally {
      await way.close();
    }
  },
};

async function highestRate(way: Pipeline, effort: Effort, print: (line: string) => void): Promise<number> {
  let highest = 0;
  for (const rate of RATES.slice(0, shareOf(effort, RATES.length))) {
    const { oldestMs, reached } = await drive(way, rate, shareOf(effort, SECONDS));
    print(`    ${rate}/s: reached ${Math.round(reached)}/s, the oldest waited ${Math.round(oldestMs)} ms at most`);
    if (oldestMs >= OLDEST_MS || reached < rate * 0.9) return highest;
    highest = rate;
  }
  return highest;
}

/** Sends at its own pace, however slowly answers come; ends when everything has arrived. */
async function drive(way: Pipeline, rate: number, seconds: number) {
  const count = rate * seconds;
  const begun = performance.now();
  const sent = new Map<string, number>();
  const sending: Promise<void>[] = [];
  let oldestMs = 0;
  const watch = setInterval(() => {
    const waiting = [...sent].filter(([subject]) => !way.arrived.has(subject)).map(([, at]) => at);
    if (waiting.length > 0) oldestMs = Math.max(oldestMs, performance.now() - Math.min(...waiting));
  }, 100);
  for (let n = 0; n < count; n++) {
    const due = begun + (n / rate) * 1_000;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    const subject = `${rate} ${begun} ${n}`;
    sent.set(subject, due);
    sending.push(way.send(subject));
  }
  await Promise.all(sending);
  while ([...sent.keys()].some((subject) => !way.arrived.has(subject)))
    await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(watch);
  const latencies = [...sent].map(([subject, at]) => (way.arrived.get(subject) ?? at) - at);
  const reached =
    (count / (Math.max(...[...sent.keys()].map((subject) => way.arrived.get(subject) ?? 0)) - begun)) * 1_000;
  return { latencies, oldestMs: Math.max(oldestMs, ...latencies), reached };
}
