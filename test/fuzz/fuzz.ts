import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { openMailSink } from '../support/mail-sink.ts';
import { startStack } from '../support/stack.ts';
import { anyRequest } from './requests.ts';
import { runSequence } from './sequence.ts';

const LENGTH = { min: 30, max: 60 };

export interface FuzzOptions {
  seed: number;
  /** About so many: sequences are not cut off. */
  requests: number;
  /** No new sequence begins after it, to make a failure smaller neither: what is found by then is told. */
  withinMs: number;
}

export interface Outcome {
  seed: number;
  requests: number;
  sequences: number;
  /** The longest that the event loop stood still, of services and tests together. */
  longestPauseMs: number;
  /** The smallest that was found, with the lines that repeat it. */
  failure: string | undefined;
}

/** Generated requests in sequences, each against a workspace of its own. */
export async function fuzz({ seed, requests: wanted, withinMs }: FuzzOptions): Promise<Outcome> {
  const sink = await openMailSink();
  const stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  const pauses = monitorEventLoopDelay({ resolution: 10 });
  pauses.enable();
  let [requests, sequences] = [0, 0];
  const anySequence = fc.array(anyRequest, { minLength: LENGTH.min, maxLength: LENGTH.max, size: 'max' });
  const property = fc.asyncProperty(anySequence, async (sequence) => {
    await runSequence(stack, sequence);
    requests += sequence.length;
    sequences += 1;
  });
  try {
    const numRuns = Math.ceil(wanted / ((LENGTH.min + LENGTH.max) / 2));
    const { failed, errorInstance } = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit: withinMs });
    const failure = failed ? (errorInstance as Error).message : undefined;
    return { seed, requests, sequences, longestPauseMs: Math.round(pauses.max / 1e6), failure };
  } finally {
    pauses.disable();
    await stack.close();
    await sink.close();
  }
}
