import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';

const started: ChildProcess[] = [];
const enough = { ADMIN_PORT: '0', TRIAL_PORT: '0', TRIAL_WORD: 'hello' };

interface Line {
  msg: string;
  part?: string;
  level: string;
  adminPort?: number;
}

function start(env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--conditions=@postroom/source', '-r', '@postroom/from-source/register', `${__dirname}/run.test-support.ts`],
    { env: env, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  started.push(child);
  let out = '';
  let errors = '';
  const waiting: { message: string; resolve: (line: Line) => void }[] = [];
  const lines = () =>
    out
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (!out.endsWith('\n')) return;
    for (const { message, resolve } of waiting) {
      const line = lines().find(({ msg }) => msg === message);
      if (line) resolve(line);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const said = (message: string) => new Promise<Line>((resolve) => waiting.push({ message, resolve }));
  return { child, exited, said, lines, errors: () => errors };
}

describe('run', () => {
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  it('exits 1 naming every missing and wrong variable, its own and the service’s', async () => {
    const { exited, errors } = start({ ADMIN_PORT: 'x', LOG_LEVEL: 'loud', TRIAL_PORT: '-1' });
    expect(await exited).toBe(1);
    const named = [...errors().matchAll(/^ {2}(\w+) is/gm)].map(([, name]) => name);
    expect(named).toEqual(['LOG_LEVEL', 'ADMIN_PORT', 'TRIAL_PORT', 'TRIAL_WORD']);
  });

  it('exits 1 and says why when the service cannot open', async () => {
    const { exited, lines } = start({ ...enough, TRIAL_WORD: 'unopenable' });
    expect(await exited).toBe(1);
    expect(lines().at(-1)).toMatchObject({ level: 'fatal', msg: 'could not open' });
  });

  it('listens with its admin port on the address of HOST alone', async () => {
    const { said } = start({ ...enough, HOST: '127.0.0.2' });
    const { adminPort } = await said('open');
    const alive = (host: string) => fetch(`http://${host}:${adminPort}/livez`).then(({ status }) => status);
    expect(await alive('127.0.0.2')).toBe(200);
    await expect(alive('127.0.0.1')).rejects.toThrow('fetch failed');
  });

  it('exits 0 on SIGTERM, not ready at once, closed last opened first', async () => {
    const { child, exited, said, lines } = start({ ...enough, SHUTDOWN_DELAY: '300ms' });
    const { adminPort } = await said('open');
    const ready = () => fetch(`http://127.0.0.1:${adminPort}/readyz`).then(({ status }) => status);
    expect(await ready()).toBe(200);
    const stopping = said('stopping');
    child.kill('SIGTERM');
    await stopping;
    expect(await ready()).toBe(503);
    expect(await exited).toBe(0);
    expect(
      lines()
        .filter(({ msg }) => msg === 'closing')
        .map(({ part }) => part),
    ).toEqual(['second', 'first']);
    expect(lines().at(-1)?.msg).toBe('closed');
  });

  it('exits 1 at once on a second SIGTERM', async () => {
    const { child, exited, said } = start({ ...enough, TRIAL_HANG: 'true' });
    await said('open');
    const closing = said('closing');
    child.kill('SIGTERM');
    await closing;
    child.kill('SIGTERM');
    expect(await exited).toBe(1);
  });

  it('exits 1 when closing outlasts its grace', async () => {
    const { child, exited, said, lines } = start({ ...enough, TRIAL_HANG: 'true', SHUTDOWN_GRACE: '50ms' });
    await said('open');
    child.kill('SIGINT');
    expect(await exited).toBe(1);
    expect(lines().at(-1)?.msg).toBe('not closed within the grace time; the process ends');
  });

  it('exits 1 on a rejection nobody caught, after logging it', async () => {
    const { exited, lines } = start({ ...enough, TRIAL_THROW: 'true' });
    expect(await exited).toBe(1);
    expect(lines().at(-1)).toMatchObject({ level: 'fatal', msg: 'uncaught' });
  });

  it('says what killed it last, though an earlier line was still being written', async () => {
    const stuck = { TRIAL_THROW: 'true', TRIAL_STUCK: 'true', UV_THREADPOOL_SIZE: '1' };
    const { child, exited, lines } = start({ ...enough, ...stuck });
    child.stderr.once('data', () => child.stdin.end());
    expect(await exited).toBe(1);
    expect(lines().map(({ msg }) => msg)).toEqual(['open', 'uncaught']);
  });
});
