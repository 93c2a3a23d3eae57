import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child {
  /** The message that the program sent when it was ready. */
  ready: Record<string, string>;
  /** Processor microseconds that it has used so far, all threads. */
  cpu(): Promise<number>;
  memory(): Promise<number>;
  close(): Promise<void>;
}

interface Report {
  cpu: number;
  rss: number;
}

const READY_MS = 120_000;

/** A program of contenders/ in a process of its own, so that its processor time is its own. */
export async function startChild(program: string, ...args: string[]): Promise<Child> {
  const child = fork(join(__dirname, 'contenders', `${program}.ts`), args, {
    execArgv: ['--conditions=@postroom/source', '-r', '@postroom/from-source/register'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const tooLate = AbortSignal.timeout(READY_MS);
  const [ready] = (await Promise.race([
    once(child, 'message', { signal: tooLate }).catch((cause: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`the bench's ${program} was not ready within ${READY_MS / 1_000} s`, { cause });
    }),
    failure(child, program),
  ])) as [Record<string, string>];
  const report = async (): Promise<Report> => {
    child.send('report');
    const [answer] = (await once(child, 'message')) as [Report];
    return answer;
  };
  return {
    ready,
    cpu: async () => (await report()).cpu,
    memory: async () => (await report()).rss,
    close: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function failure(child: ChildProcess, program: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`the bench's ${program} ended with code ${code} before it was ready`);
}
