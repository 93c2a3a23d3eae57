import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withNeededVariables } from './process-variables.ts';

export interface ServiceProcess {
  pid: number;
  /** A page of its admin port: `/livez`, `/readyz`, `/metrics`. */
  page(path: string): Promise<{ status: number; text: string }>;
  /** Everything it has said so far, on both outputs. */
  said(): string;
  /** Tells it to stop and gives back its exit code. */
  stop(): Promise<number | null>;
  /** Makes it stand still, sockets open, and go on again. */
  pause(): void;
  resume(): void;
  /** Ends it as a crash does, without a word. */
  kill(): Promise<void>;
}

const ROOT = join(__dirname, '../..');
/** One that does not open ends them all: what failed to start holds none of the others, and would never end them. */
const running = new Set<ChildProcess>();
export const endServiceProcesses = () => running.forEach((child) => child.kill('SIGKILL'));
process.once('exit', endServiceProcesses);

const mainOf = (name: string) => join(ROOT, 'services', name, 'src/main.ts');
const FROM_SOURCES = ['--conditions=@postroom/source', '-r', '@postroom/from-source/register'];

/**
 * A service in a process of its own, configured by its environment alone; gives it back once it is open. From these
 * sources, or from what was built in another folder.
 */
export async function startServiceProcess(
  name: string,
  env: Record<string, string>,
  built?: string,
): Promise<ServiceProcess> {
  const host = env['HOST'] ?? '127.0.0.1';
  const main = built ? [join(built, 'services', name, 'dist/main.js')] : [...FROM_SOURCES, mainOf(name)];
  const child = spawn(process.execPath, main, {
    cwd: built ?? ROOT,
    env: { PATH: '', ADMIN_PORT: '0', HOST: host, ...(await withNeededVariables(env)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let isOpen = false;
  const adminPort = await new Promise<number>((resolve, reject) => {
    const hear = (piece: Buffer) => {
      output += piece.toString();
      // It may say very much later on, and all of that is not to be searched with every word.
      const port = isOpen ? undefined : /"adminPort":(\d+),"msg":"open"/.exec(output)?.[1];
      if (!port) return;
      isOpen = true;
      resolve(Number(port));
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => {
      if (isOpen) return;
      endServiceProcesses();
      reject(new Error(`${name} ended with ${code} before it was open: ${output}`));
    });
  });
  return {
    pid: child.pid ?? 0,
    page: async (path) => {
      const response = await fetch(`http://${host}:${adminPort}${path}`);
      return { status: response.status, text: await response.text() };
    },
    said: () => output,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const [code] = (await closed) as [number | null];
      return code;
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}
