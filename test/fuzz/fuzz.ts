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

export interface FuzzOptions {
  seed: number;
  /** As many as whole sequences need. */
  requests: number;
  /** For how long a failure is made smaller. */
  shrinkMs: number;
}

export interface Outcome {
  seed: number;
  requests: number;
  sequences: number;
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
  const outcome: Outcome = { seed, requests: 0, sequences: 0, pauses: [], failure: undefined };
  let pauses = watchPauses(LONGEST_PAUSE_MS);
  const failureOf = (sequence: Request[]) =>
    runSequence(stack, sequence, (line) => pauses.during(line)).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
  try {
    for (const sequence of generated) {
      // What is done for the first time is compiled first, the description by which answers are judged too.
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
