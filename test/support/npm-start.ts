import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../guards/sources.ts';

/** The line of `npm start -- --json`. */
interface ReadyLine {
  baseUrl: string;
  workspaceId: string;
  keys: { read: string; write: string; send: string };
  mailboxes: { id: string; email: string }[];
  smtp: { host: string; port: number };
  features: string[];
}

export interface StartedPostroom {
  ready: ReadyLine;
  /** Ctrl-C. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** `npm start` with these options, in a process of its own. */
export async function npmStart(...options: string[]): Promise<StartedPostroom> {
  const args = ['--conditions=@postroom/source', 'deploy/local/start.mjs', '--json', ...options];
  const started = spawn(process.execPath, args, { cwd: ROOT, env: { PATH: process.env['PATH'] } });
  const end = () => started.kill('SIGKILL');
  process.once('exit', end);
  let [stdout, stderr] = ['', ''];
  started.stdout.on('data', (text) => (stdout += text));
  started.stderr.on('data', (text) => (stderr += text));
  const closed = once(started, 'close') as Promise<[number | null]>;
  await Promise.race([once(started.stdout, 'data'), closed]);
  if (!stdout.includes('\n')) throw new Error(`npm start did not become ready: ${stderr}`);
  return {
    ready: JSON.parse(stdout) as ReadyLine,
    stop: async () => {
      started.kill('SIGINT');
      const [code] = await closed;
      process.off('exit', end);
      return code;
    },
  };
}
