import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import type { MigrationEvent } from '@postroom/mail-store/migrations/progress';
import { systemClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { declared, steps } from './upgrade.ts';

export interface KillPoint {
  at: MigrationEvent['at'];
  /** The how manieth of its kind. */
  count: number;
}

export interface MigrationRun {
  events: MigrationEvent[];
  ended: number | NodeJS.Signals;
}

/** A lease that was left behind is over for whoever is so much later. */
const LATER_MS = 60_000;

/** The upgrade in a process of its own, which ends itself the hard way at the point that is named. */
export async function runMigration(uri: string, attempt: number, kill?: KillPoint): Promise<MigrationRun> {
  const args = ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register'), __filename];
  const env = { ...process.env, MIGRATION: JSON.stringify({ uri, attempt, kill }) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const events = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as MigrationEvent);
  return { events, ended: signal ?? code ?? -1 };
}

async function main({ uri, attempt, kill }: { uri: string; attempt: number; kill?: KillPoint }): Promise<void> {
  const now = () => Date.now() + attempt * LATER_MS;
  const clock = { ...systemClock, now, date: () => new Date(now()) };
  const context = createServiceContext({ name: 'migrate', logLevel: 'silent', clock });
  const { connection } = await openMailStore({ uri, needsSchema: false }, context);
  let left = kill?.count ?? 0;
  const onProgress = async (event: MigrationEvent) => {
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(event)}\n`, resolve));
    if (event.at === kill?.at && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
  await migrate(connection, context, { steps, declared, onProgress });
  await context.lifecycle.close();
}

if (process.env.MIGRATION) void main(JSON.parse(process.env.MIGRATION) as Parameters<typeof main>[0]);
