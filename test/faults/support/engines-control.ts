import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type EngineName = 'redis' | 'kafka' | 'mongo';
export type Fault = 'pause' | 'stop' | 'kill';
export type Verb = Fault | 'start' | 'resume';
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
