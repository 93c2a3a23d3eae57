import { availableParallelism, loadavg } from 'node:os';
import fc from 'fast-check';
import { openMailSink } from '../support/mail-sink.ts';
import { startStack } from '../support/stack.ts';
import { watchPauses, type Pause } from './pauses.ts';
import { anyRequest, type Request } from './requests.ts';
import { runSequence } from './sequence.ts';
import { makeSmaller } from './smaller.ts';

/** Long enough for calls to meet on the same things, and for what each workspace costs to matter little. */
const LENGTH = 80;
const WARM_UP = 5;
export const LONGEST_PAUSE_MS = 100;

interface FuzzOptions {
  seed: number;
  /** As many as whole sequences need. */
  requests: number;
  /** For how long a failure is made smaller. */
  shrinkMs: number;
}

interface Outcome {
  seed: number;
  requests: number;
  sequences: number;
  /** Sequences that were asked twice, since a call of theirs was too late on a machine that had too much to do. */
  late: number;
  /** When the event loop stood still for longer than it may. */
  pauses: Pause[];
  /** The smallest that was found, with the lines that repeat it. */
  failure: string | undefined;
}

/** Generated requests in sequences, each against a workspace of its own. */
export async function fuzz({ seed, requests: wanted, shrinkMs }: FuzzOptions): Promise<Outcome> {
  const anySequence = fc.array(anyRequest, { minLength: LENGTH, maxLength: LENGTH, size: 'max' });
  const generated = fc.sample(anySequence, { seed, numRuns: Math.ceil(wanted / LENGTH) });
  const sink = await openMailSink();
  const stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  const outcome: Outcome = { seed, requests: 0, sequences: 0, late: 0, pauses: [], failure: undefined };
  let pauses = watchPauses(LONGEST_PAUSE_MS);
  const ask = (sequence: Request[]) =>
    runSequence(stack, sequence, (line) => pauses.during(line)).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
  const failureOf = async (sequence: Request[]) => {
    const message = await ask(sequence);
    if (!message?.startsWith('408 ') || !isOverloaded()) return message;
    outcome.late += 1;
    return ask(sequence);
  };
  try {
    for (const sequence of generated) {
      // Pauses of the first sequences do not count: they compile code and the validators of the description.
      if (outcome.sequences === WARM_UP) {
        pauses.end();
        pauses = watchPauses(LONGEST_PAUSE_MS);
      }
      const message = await failureOf(sequence);
      outcome.requests += sequence.length;
      outcome.sequences += 1;
      if (message === undefined) continue;
      outcome.failure = (await makeSmaller({ message, sequence }, failureOf, Date.now() + shrinkMs)).message;
      break;
    }
    return outcome;
  } finally {
    outcome.pauses = pauses.end();
    await stack.close();
    await sink.close();
  }
}

/** By the contract any call may be too late. Where more wants to run than there are processors for, that says nothing of the call. */
const isOverloaded = () => (loadavg()[0] ?? 0) > 2 * availableParallelism();
