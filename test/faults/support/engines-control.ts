import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type EngineName = 'redis' | 'kafka' | 'mongo';
export type Fault = 'pause' | 'stop' | 'kill';
type Verb = Fault | 'start' | 'resume';
/** Does one thing to an engine; resolves when it is done. */
export type Control = (verb: Verb) => Promise<void>;

/** A broker that was killed waits for its own old session before it serves again. */
const LONGEST_START_MS = 90_000;
const run = promisify(execFile);

/** By the command that ENGINES_CONTROL names. */
export function controlOf(command: string, engine: EngineName): Control {
  return async (verb) => void (await run(command, [verb, engine], { timeout: LONGEST_START_MS }));
}

export const undoing = { pause: 'resume', stop: 'start', kill: 'start' } as const satisfies Record<Fault, Verb>;

/** Does one thing to one of the three brokers that KAFKA_CLUSTER_CONTROL takes away. */
export async function controlBroker(verb: Verb, broker: 1 | 2 | 3): Promise<void> {
  const { KAFKA_CLUSTER_CONTROL = '' } = process.env;
  await run(KAFKA_CLUSTER_CONTROL, [verb, String(broker)], { timeout: LONGEST_START_MS });
}

/** Restarts the only broker, or one of three after the other; undefined when no command can do it. */
export function brokerRestart(): (() => Promise<void>) | undefined {
  const { KAFKA_CLUSTER_CONTROL, ENGINES_CONTROL } = process.env;
  if (KAFKA_CLUSTER_CONTROL) {
    return async () => {
      for (const broker of [1, 2, 3] as const) {
        await controlBroker(broker === 1 ? 'kill' : 'stop', broker);
        await controlBroker('start', broker);
      }
    };
  }
  if (!ENGINES_CONTROL) return undefined;
  const kafka = controlOf(ENGINES_CONTROL, 'kafka');
  return async () => {
    await kafka('stop');
    await kafka('start');
  };
}
