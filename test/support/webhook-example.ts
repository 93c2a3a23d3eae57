import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@postroom/local/free-port';
import { ROOT } from '../guards/sources.ts';
import { untilTaken } from './until-taken.ts';

export interface Language {
  name: string;
  fence: string;
  file: string;
  /** Says whether the machine has it. */
  probe: string[];
  build?: (file: string) => string[];
  run: (file: string) => string[];
}

const FROM_SOURCE = join(ROOT, 'libs/from-source/register.cjs');

export const languages = {
  typescript: {
    name: 'TypeScript',
    fence: 'ts',
    file: 'receiver.ts',
    probe: [process.execPath, '--version'],
    run: (file) => [process.execPath, '-r', FROM_SOURCE, file],
  },
  python: {
    name: 'Python',
    fence: 'python',
    file: 'receiver.py',
    probe: ['python3', '--version'],
    run: (file) => ['python3', file],
  },
  go: {
    name: 'Go',
    fence: 'go',
    file: 'receiver.go',
    probe: ['go', 'version'],
    build: (file) => ['go', 'build', '-o', `${file}.out`, file],
    run: (file) => [`${file}.out`],
  },
} satisfies Record<string, Language>;

export const isInstalled = ({ probe: [command = '', ...args] }: Language): boolean =>
  spawnSync(command, args).status === 0;

export interface Receiver {
  url: string;
  /** The lines of the receiver, one for each event that it has handled. */
  lines(): string[];
  close(): Promise<void>;
}

/** The receiver of docs/webhooks.md, as it stands there. */
export async function startReceiver(language: Language, secret: string): Promise<Receiver> {
  const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const code = new RegExp(`^\`\`\`${language.fence}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  if (!code) throw new Error(`docs/webhooks.md has no example in ${language.name}`);
  const folder = mkdtempSync(join(tmpdir(), 'postroom-receiver-'));
  const file = join(folder, language.file);
  writeFileSync(file, code);
  if (language.build) run(language.build(file), folder);

  const port = await freePort(0);
  const [command = '', ...args] = language.run(file);
  const child = spawn(command, args, { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (piece) => (output += String(piece)));
  child.stderr.on('data', (piece) => (errors += String(piece)));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await untilTaken(() => reach(port)).catch(() => {
    throw new Error(`the example in ${language.name} does not start: ${errors}`);
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    lines: () => output.split('\n').filter((line) => line.includes('evt_')),
    close: async () => {
      process.off('exit', kill);
      kill();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

function run([command = '', ...args]: string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.toString()}`);
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
    socket.once('error', reject);
  });
}
