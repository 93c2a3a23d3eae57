import { ApiError } from '@postroom/errors/api-error';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { readCommandConfig } from './config.ts';
import type { CommandResult } from './command/command.ts';
import { type CommandDeps, CommandRefusal } from './command/command-deps.ts';
import { toFault } from './command/fault.ts';
import { format } from './command/output.ts';
import { readArguments } from './program/program.ts';
import { createDeps } from './deps.ts';

interface Surroundings {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WriteStream;
  signal: AbortSignal;
  /** The signal of the process unless given. */
  env?: NodeJS.ProcessEnv;
}

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<number> {
  const { stdin, stdout, stderr, signal } = around;
  const context = createServiceContext({ name: 'postroom', log: silentLog });
  try {
    const asked = readArguments(args, (help) => void stdout.write(help));
    if (!asked) return 0;
    const config = readCommandConfig(around.env);
    const deps = createDeps(
      config,
      { ...context, grpcTls: config.grpcTls },
      {
        stdin,
        output: stdout,
        progress: stderr,
        json: asked.json,
        signal,
      },
    );
    const answer = await asked.command.run(asked.values, deps, asked.operands);
    await requireWorkspaceOfEmptyList(answer, asked.values, deps);
    stdout.write(format(answer, asked.json));
    return answer.exitCode ?? 0;
  } catch (error) {
    const { exitCode, line } = toFault(error);
    stderr.write(`${line}\n`);
    return exitCode;
  } finally {
    await context.lifecycle.close();
  }
}

/** An empty list of a workspace that does not exist reads like one of a workspace in which all is well. */
async function requireWorkspaceOfEmptyList(
  { json }: CommandResult,
  { workspaceId }: Readonly<Record<string, unknown>>,
  deps: Pick<CommandDeps, 'workspaces'>,
): Promise<void> {
  const { items } = json as { items?: readonly unknown[] };
  if (items?.length !== 0 || typeof workspaceId !== 'string') return;
  try {
    await deps.workspaces().listKeys({ workspaceId }, {});
  } catch (error) {
    // The list stands where nobody can be asked about the workspace.
    const isUnanswered = error instanceof ApiError && error.code !== 'NOT_FOUND';
    if (!isUnanswered && !(error instanceof CommandRefusal)) throw error;
  }
}
