import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../../services/operator/src/run.ts';
import type { TestStack } from './stack.ts';
import type { Json } from './client.ts';

interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  (...args: string[]): Promise<CommandResult>;
  /** With --json: the one document on standard output. */
  json(...args: string[]): Promise<Json>;
  with(more: { stdin?: Iterable<Buffer | string>; signal?: AbortSignal }): CommandLine;
}

/** The operator's command line in this process, pointed at a stack. */
export function commandLine(env: NodeJS.ProcessEnv, more: Parameters<CommandLine['with']>[0] = {}): CommandLine {
  const run = async (...args: string[]): Promise<CommandResult> => {
    const [stdout, stderr] = [collect(), collect()];
    const exitCode = await runCommandLine(args, {
      stdin: Readable.from(more.stdin ?? []),
      stdout: stdout.stream,
      stderr: stderr.stream as unknown as NodeJS.WriteStream,
      signal: more.signal ?? new AbortController().signal,
      env,
    });
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  };
  return Object.assign(run, {
    json: async (...args: string[]) => {
      const said = await run(...args, '--json');
      if (said.stderr !== '') throw new Error(said.stderr);
      return JSON.parse(said.stdout) as Json;
    },
    with: (other: Parameters<CommandLine['with']>[0]) => commandLine(env, { ...more, ...other }),
  });
}

export const addressesOf = (stack: TestStack): NodeJS.ProcessEnv => ({
  ...stack.addresses,
  OPERATOR_TOKEN: stack.operatorToken,
  MONGODB_URI: stack.mongodbUri,
});

function collect() {
  const stream = new PassThrough();
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return { stream, text: () => Buffer.concat(pieces).toString() };
}
