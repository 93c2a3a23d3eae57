import { afterEach, describe, expect, it } from '@jest/globals';
import type { FolderSyncDocument } from '@postroom/mail-store/documents/sync';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import type { ImapConnection, OpenedFolder } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import type { SessionDeps } from '../session/session.ts';
import { openSession } from './open-session.ts';
import { runSession } from './run-session.ts';
import { createWake } from './wake.ts';

const TYPES = { Drafts: 'DRAFTS', Archive: 'OTHER', INBOX: 'INBOX', Sent: 'SENT' } as const;
const PATHS = Object.keys(TYPES) as (keyof typeof TYPES)[];
/** A session that asks more than this in a test never rests. */
const MOST_ASKED = 5_000;
const STATUS = { messages: 3, uidNext: 4, uidValidity: 7, highestModseq: 9n };

const stopped: AbortController[] = [];
afterEach(() => stopped.splice(0).forEach((one) => one.abort(new Error('the test is over'))));

type Path = keyof typeof TYPES;

interface Provider {
  /** Folders whose mail is not taken in yet. */
  old?: readonly Path[];
  /** Folders that were never opened. */
  fresh?: readonly Path[];
  /** Folders that are synchronized and no longer listed. */
  deleted?: readonly string[];
  /** Folders that are listed and not opened. */
  refuses?: ReadonlySet<string>;
  /** Folders that are not listed yet. */
  hidden?: ReadonlySet<string>;
  /** Folders that have a new message and do not give it. */
  unread?: readonly string[];
  /** The answer to a search in a folder. */
  search?: (path: string) => Promise<number[]>;
}

const refused = () => new ImapFault('failed', 'the provider did not do what it was asked (NO)');

/** A synchronized mailbox, whose folders are stored in the order of `TYPES`; what the provider is asked is written down. */
async function keep({
  old = [],
  fresh = [],
  deleted = [],
  unread = [],
  hidden = new Set(),
  refuses = new Set(),
  search = async () => [],
}: Provider = {}) {
  const clock = manualClock();
  const asked: string[] = [];
  const vanished: number[] = [];
  let change = () => {};
  let isOpen = '';
  const connection: Partial<ImapConnection> = {
    has: (name) => ['IDLE', 'LIST-STATUS', 'QRESYNC'].includes(name),
    list: async () => {
      asked.push('list');
      return PATHS.filter((path) => !hidden.has(path)).map((path) => ({
        path,
        name: path,
        delimiter: '/',
        parent: [],
        flags: new Set<string>(),
        specialUse: undefined,
        specialUseSource: undefined,
        status: STATUS,
      })) as never;
    },
    open: async (path): Promise<OpenedFolder> => {
      asked.push(`open ${path}`);
      if (asked.length > MOST_ASKED) throw new Error('the provider is asked again and again');
      if (refuses.has(path)) throw refused();
      isOpen = path;
      return { path, ...STATUS, exists: 3, vanished: path === 'INBOX' ? vanished.splice(0) : [] };
    },
    uids: async () => {
      asked.push(`search ${isOpen}`);
      return search(isOpen);
    },
    facts: async function* () {
      if (unread.includes(isOpen)) throw refused();
      yield* [];
    },
    idle: async (over) => {
      asked.push(`idle in ${isOpen}`);
      return new Promise<boolean>((resolve) => {
        change = () => resolve(true);
        over.addEventListener('abort', () => resolve(false), { once: true });
      });
    },
    close: () => undefined,
  };
  const deps = {
    context: { clock, log: silentLog, tracing: noTracing },
    mailboxes: { find: async () => ({ status: 'active', createdAt: clock.date(), folders }) },
    folderSyncs: {
      takeOver: async () => [
        ...folders
          .filter(({ path }) => !fresh.includes(path))
          .map(({ id, path }) => ({
            ...syncOf(id, clock.date()),
            ...(old.includes(path) && { lowestDone: 4, done: 0 }),
            ...(unread.includes(path) && { uidNext: 3, done: 2 }),
          })),
        ...deleted.map((id) => syncOf(id, clock.date())),
      ],
      remove: async () => undefined,
      save: async () => undefined,
    },
    leases: { firstPass: async () => 1, beginPass: async () => undefined },
    pending: { find: async () => [] },
    access: {
      getMailboxAccess: async () => ({ imapAddress: '127.0.0.1:1' }),
      recordSync: async () => ({ status: 'active', folders }),
    },
    mailboxWrite: {
      applyProviderChanges: async ({ folderId, goneUids }: { folderId: string; goneUids: number[] }) => {
        if (deleted.includes(folderId)) asked.push(`empty ${folderId}`);
        return { gone: goneUids.length, unknownUids: [] };
      },
      finishPass: async () => void asked.push('finish the pass'),
    },
    connect: async () => connection,
    loginRate: async () => undefined,
    scanMs: { inbox: 300_000, poll: 20_000, sent: 60_000, folder: 300_000 },
  } as unknown as SessionDeps;
  const over = new AbortController();
  stopped.push(over);
  const { signal } = over;
  const lease = { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 };
  const session = await openSession(lease, deps, { signal, isHeld: () => true, lateUntil: 0 });
  const ended = runSession(session, { wake: createWake(), hear: () => undefined, signal }).catch((why: unknown) => why);
  await clock.advance(0);
  const pass = (ms: number) => clock.advance(ms);
  return { asked, vanished, pass, ended, change: () => change() };
}

const folders = PATHS.map((path) => ({ id: `fld_${path}`, path, name: path, type: TYPES[path], delimiter: '/' }));

function syncOf(_id: string, comparedAt: Date): FolderSyncDocument {
  const counted = { uidValidity: 7, uidNext: 4, highestModseq: '9', lowestDone: 1, done: 3, total: 3 };
  return { _id, workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1, comparedAt, surprises: 0, ...counted };
}

describe('a mailbox whose folders are known', () => {
  it('has its inbox scanned first and watched after a restart, in whatever order the folders are stored', async () => {
    const { asked, pass } = await keep();
    await pass(30_000);
    expect(asked.find((one) => one.startsWith('open'))).toBe('open INBOX');
    expect(asked.at(-1)).toBe('idle in INBOX');
  });

  it('has all folders scanned at once when something vanishes from the inbox', async () => {
    const { asked, vanished, pass, change } = await keep();
    await pass(30_000);
    asked.length = 0;
    vanished.push(2);
    change();
    await pass(0);
    expect(asked.slice(0, 2)).toEqual(['open INBOX', 'list']);
  });

  it('has missed emails removed after all old mail is taken in, and not before', async () => {
    let list: (uids: number[]) => void = () => {};
    const listed = new Promise<number[]>((resolve) => (list = resolve));
    const { asked, pass } = await keep({ old: ['Archive'], search: () => listed });
    await pass(30_000);
    expect(asked).toContain('open Archive');
    expect(asked).not.toContain('finish the pass');
    list([1, 2, 3]);
    await pass(0);
    expect(asked).toContain('finish the pass');
  });

  it('misses the emails of a deleted folder before it takes in old mail, which may have them', async () => {
    const { asked, pass } = await keep({ fresh: ['Archive'], deleted: ['fld_deleted'], search: async () => [1, 2, 3] });
    await pass(30_000);
    const emptied = asked.filter((one) => one === 'empty fld_deleted');
    expect(emptied).toHaveLength(2);
    expect(asked.indexOf('empty fld_deleted')).toBeLessThan(asked.indexOf('search Archive'));
    expect(asked.indexOf('search Archive')).toBeLessThan(asked.indexOf('finish the pass'));
  });
});

describe('a mailbox of which a folder refuses to be read', () => {
  const HOUR_MS = 3_600_000;
  const isRemoving = (asked: readonly string[]) => asked.includes('finish the pass');

  it('has the old mail of the next folder taken in', async () => {
    const { asked } = await keep({ old: ['Sent', 'Archive'], refuses: new Set(['Sent']) });
    expect(asked).toContain('open Sent');
    expect(asked).toContain('search Archive');
  });

  it.each<[string, Provider]>([
    ['opens no more in the middle of its first import', { old: ['Archive'], refuses: new Set(['Archive']) }],
    ['was never opened', { fresh: ['Archive'], refuses: new Set(['Archive']) }],
    ['opens and lists nothing', { old: ['Archive'], search: () => Promise.reject(refused()) }],
    ['gives no new mail', { unread: ['Archive'], search: async () => [3] }],
  ])('has missed emails removed after a few tries when the folder %s', async (_, provider) => {
    const { asked, pass } = await keep(provider);
    await pass(5_000);
    expect(isRemoving(asked)).toBe(false);
    await pass(HOUR_MS);
    expect(isRemoving(asked)).toBe(true);
  });

  it.each(['old', 'fresh'] as const)('has the %s mail of the folder taken in once it opens', async (kind) => {
    const refuses = new Set(['Archive']);
    const { asked, pass } = await keep({ [kind]: ['Archive'], refuses });
    await pass(HOUR_MS);
    expect(asked).not.toContain('search Archive');
    refuses.clear();
    await pass(HOUR_MS);
    expect(asked).toContain('search Archive');
  });

  it('has missed emails removed when the folder is read again before it is given up', async () => {
    const [hidden, refuses] = [new Set<string>(['Drafts']), new Set<string>()];
    const { asked, vanished, pass, change } = await keep({ fresh: ['Drafts'], hidden, refuses });
    await pass(30_000);
    vanished.push(2);
    // A folder that is new has all folders scanned.
    hidden.clear();
    refuses.add('Archive');
    asked.length = 0;
    change();
    await pass(0);
    expect([asked.includes('open Archive'), isRemoving(asked)]).toEqual([true, false]);
    refuses.clear();
    await pass(HOUR_MS);
    expect(isRemoving(asked)).toBe(true);
  });

  it('has its old mail taken in before missed emails are removed when it opens at last', async () => {
    const refuses = new Set(['Archive']);
    let list: (uids: number[]) => void = () => {};
    const listed = new Promise<number[]>((resolve) => (list = resolve));
    const { asked, vanished, pass, change } = await keep({ fresh: ['Archive'], refuses, search: () => listed });
    await pass(HOUR_MS);
    refuses.clear();
    asked.length = 0;
    vanished.push(2);
    change();
    await pass(30_000);
    expect([asked.includes('search Archive'), isRemoving(asked)]).toEqual([true, false]);
    list([1, 2, 3]);
    await pass(HOUR_MS);
    expect(isRemoving(asked)).toBe(true);
  });

  it('asks for the folder once in a pass', async () => {
    const { asked, pass } = await keep({ old: ['Archive'], refuses: new Set(['Archive']) });
    await pass(HOUR_MS);
    asked.length = 0;
    await pass(HOUR_MS);
    const passes = asked.filter((one) => one === 'list').length;
    expect(asked.filter((one) => one === 'open Archive').length).toBeLessThanOrEqual(passes);
  });

  it('ends its session when the folder is the one that receives new mail', async () => {
    const { ended, asked } = await keep({ refuses: new Set(['INBOX']) });
    expect(await ended).toBeInstanceOf(ImapFault);
    expect(asked.filter((one) => one.startsWith('open'))).toEqual(['open INBOX']);
  });
});
