import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openAppPeople } from '../support/app-client.ts';
import type { StackProcess } from '../faults/mirror/stack-process.ts';
import { paced } from './paced.ts';

/** Pages that are open ask again in this time. */
const PAUSE_MS = 10_000;
/** The calls of the pages that people keep open, or open next. */
const CALLS = ['/home', '/mailboxes', '/home', '/ai-label-rules', '/members', '/home', '/views', '/labels'];

interface World {
  stack: Pick<StackProcess, 'addresses' | 'operatorToken' | 'appUrl'>;
  workspaceIds: string[];
  count: number;
}

export interface PeopleProcess {
  /** Everybody works for this time; the answers other than 200 are counted. */
  work(windowMs: number): Promise<number>;
  close(): Promise<void>;
}

/** Browsers in a process of their own: the time that they take to read their answers is none of the server's. */
export async function startPeople(world: World): Promise<PeopleProcess> {
  const child = fork(__filename, [], {
    execArgv: ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')],
    env: { ...process.env, PEOPLE_AT_WORK: JSON.stringify(world) },
  });
  await once(child, 'message');
  return {
    work: async (windowMs) => {
      child.send(windowMs);
      const [refused] = (await once(child, 'message')) as [number];
      return refused;
    },
    close: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function main({ stack, workspaceIds, count }: World): Promise<void> {
  const people = await openAppPeople(stack);
  const browsers: Awaited<ReturnType<typeof people.joined>>[] = [];
  for (let n = 0; n < count; n += 1)
    browsers.push(await people.joined(cyclic(workspaceIds, n), n < workspaceIds.length ? 'owner' : 'member'));

  process.on('message', (windowMs: number) => {
    let refused = 0;
    const ask = async (n: number) => {
      const person = cyclic(browsers, n);
      const path = cyclic(CALLS, Math.floor(n / browsers.length) + n);
      const { status } = await person.call('GET', `${person.workspace}${path}`);
      if (status !== 200) refused += 1;
    };
    void paced(ask, { perSecond: (count * 1_000) / PAUSE_MS, windowMs }).then(() => process.send?.(refused));
  });
  process.send?.('ready');
}

const cyclic = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

const { PEOPLE_AT_WORK } = process.env;
if (PEOPLE_AT_WORK && process.send) void main(JSON.parse(PEOPLE_AT_WORK) as World);
