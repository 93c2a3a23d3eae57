import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startEmbeddedMongo } from '@postroom/embedded/start';

/** The embedded server in a process of its own, so that it can be killed the hard way and weighed by itself. */
export interface EmbeddedProcess {
  uri: string;
  pid: number;
  /** SIGKILL: nothing of the process gets to do anything any more. */
  kill(): Promise<void>;
  close(): Promise<void>;
  residentMegabytes(): number;
}

export async function startEmbeddedProcess(directory: string | undefined, port = 0): Promise<EmbeddedProcess> {
  const child: ChildProcess = fork(__filename, [`${port}`, ...(directory ? [directory] : [])], {
    execArgv: ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')],
    env: { ...process.env, EMBEDDED_PROCESS: 'yes' },
  });
  const [{ uri }] = (await once(child, 'message')) as [{ uri: string }];
  const pid = child.pid as number;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    uri,
    pid,
    kill: () => end('SIGKILL'),
    close: () => end('SIGTERM'),
    residentMegabytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}

async function main(): Promise<void> {
  const [, , port, directory] = process.argv;
  const server = await startEmbeddedMongo({ port: Number(port), ...(directory && { directory }) });
  process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
  process.send?.({ uri: server.uri });
}

if (process.env['EMBEDDED_PROCESS'] === 'yes') void main();
