import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { readCommandConfig } from './config.ts';
import { toFault } from './command/fault.ts';
import { requireWorkspaceOfEmptyList } from './command/known-workspace.ts';
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
