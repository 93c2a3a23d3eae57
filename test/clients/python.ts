import { spawn } from 'node:child_process';
import { it } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';

/** A Python that has what other people's tools need. */
const PYTHON = process.env['CLIENTS_PYTHON'];

/** A test that needs it, and perhaps to be asked for; else it is skipped, and says so. */
export function whenPythonHas(what: string, isWanted = true): typeof it | typeof it.skip {
  if (PYTHON && isWanted) return it;
  skipAloud(
    PYTHON
      ? `${what}: it takes minutes, and is run where SCHEMATHESIS_EXAMPLES is set`
      : `${what}: CLIENTS_PYTHON names no Python that has it (pip install openapi-python-client schemathesis)`,
  );
  return it.skip;
}

interface Outcome {
  code: number | null;
  output: string;
}

/** A program of theirs, with something to read. */
export function runPython(
  args: string[],
  { cwd, env, input = '' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<Outcome> {
  const child = spawn(PYTHON as string, args, { cwd, env: { ...process.env, ...env } });
  child.stdin.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
