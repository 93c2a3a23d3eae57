import type {
  AssignedUid,
  FlagState,
  FolderStatus,
  ImapConnection,
  ListedFolder,
  MessageFacts,
} from '../../../services/mailbox-sync/src/imap/imap-connection.ts';
import { ImapFault } from '../../../services/mailbox-sync/src/imap/imap-fault.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { createImapFolder, FOLDERS, type FolderPath, type ImapFolder, type StoredMessage } from './imap-folder.ts';

/** A mailbox at its provider: what it holds, and the connections of pods to it. */
export interface ImapMailbox {
  folders: Readonly<Record<FolderPath, ImapFolder>>;
  closed: ClosedFolder | null;
  connect(pod: Process): Promise<ImapConnection>;
}

/** A folder that opens a few times, so that its first import has begun or not, and then refuses to. */
interface ClosedFolder {
  path: FolderPath;
  opensAgainAt: number;
  /** Of one attempt to open it. */
  isRefused(): boolean;
}

const CLOSED_MS = 60_000;
const MOST_OPENS = 3;
const LATEST_RENUMBERED_MS = 40_000;

function drawClosed({ chance, faults, now }: World): ClosedFolder | null {
  if (!faults.isOn('closedFolder')) return null;
  const opensAgainAt = now() + chance.pick([CLOSED_MS, Infinity]);
  let opens = chance.below(MOST_OPENS);
  return {
    path: 'Archive',
    opensAgainAt,
    isRefused: () => {
      opens -= 1;
      return opens < 0 && now() < opensAgainAt;
    },
  };
}

/** The abilities of a provider, by the seed: with and without a count of changes, and with word of what vanished or moved. */
const KINDS = [
  ['MOVE'],
  ['IDLE', 'UIDPLUS', 'MOVE'],
  ['IDLE', 'UIDPLUS', 'MOVE', 'CONDSTORE', 'LIST-STATUS'],
  ['IDLE', 'UIDPLUS', 'MOVE', 'CONDSTORE', 'QRESYNC', 'LIST-STATUS'],
] as const;

export function openImapMailbox(world: World): ImapMailbox {
  const can = new Set<string>(world.chance.pick(KINDS));
  const hearers = new Set<() => void>();
  const say = () => [...hearers].forEach((hear) => hear());
  const folders = Object.fromEntries(
    FOLDERS.map((path, n) => [path, createImapFolder(path, n + 1, say)]),
  ) as unknown as ImapMailbox['folders'];
  const closed = drawClosed(world);
  if (world.faults.isOn('renumbered')) renumberLater(world, folders);
  return { folders, closed, connect: (pod) => connect({ world, pod, can, folders, closed, hearers }) };
}

function renumberLater(world: World, folders: ImapMailbox['folders']): void {
  const folder = folders[world.chance.pick(FOLDERS)];
  world.after(world.chance.below(LATEST_RENUMBERED_MS), undefined, () => {
    world.trace.say('provider', `numbers the messages of ${folder.path} anew`);
    folder.renumber();
  });
}

interface Line {
  world: World;
  pod: Process;
  can: ReadonlySet<string>;
  folders: ImapMailbox['folders'];
  closed: ClosedFolder | null;
  hearers: Set<() => void>;
}

/**
 * A command has its effect between two steps, and the connection may be lost before it or behind it. A provider ends it
 * where the open folder has other UIDs now.
 */
function createCommands({ world, pod }: Pick<Line, 'world' | 'pod'>, isStale: () => boolean) {
  const { faults, trace } = world;
  let isOpen = true;
  const travel = async (what: string): Promise<void> => {
    await pod.context.clock.sleep(world.latency());
    if (isOpen && (isStale() || faults.strikes('lostImapConnections'))) {
      trace.say(pod.name, `${what}: the connection to the provider is lost`);
      isOpen = false;
    }
    if (!isOpen) throw new ImapFault('network', 'the provider cannot be reached');
  };
  const command = async <T>(what: string, effect: () => T): Promise<T> => {
    await travel(what);
    const answer = effect();
    trace.say(pod.name, `imap ${what}`);
    await travel(what);
    return answer;
  };
  return { command, close: () => void (isOpen = false), isOpen: () => isOpen };
}

async function connect(line: Line): Promise<ImapConnection> {
  const { can, folders, closed, pod } = line;
  let open: ImapFolder = folders.INBOX;
  let openedValidity = open.uidValidity;
  const { command, close } = createCommands(line, () => open.uidValidity !== openedValidity);
  await command('login', () => undefined);
  const isCounted = can.has('CONDSTORE');
  const statusOf = (folder: ImapFolder): FolderStatus => folder.status(isCounted);
  const move = (uids: readonly number[], path: string) => {
    const assigned = open.moveTo(folders[path as FolderPath], uids);
    return can.has('UIDPLUS') ? assigned : new Map<number, AssignedUid>();
  };

  return {
    has: (capability) => can.has(capability),
    list: () => command('list', () => Object.values(folders).map((one) => listed(one, statusOf(one)))),
    status: (path) => command(`status ${path}`, () => statusOf(folders[path as FolderPath])),
    open: (path, since) =>
      command(`open ${path}`, () => {
        if (path === closed?.path && closed.isRefused()) throw new ImapFault('failed', `${path} does not open`);
        open = folders[path as FolderPath];
        openedValidity = open.uidValidity;
        const { messages, ...status } = statusOf(open);
        const isKnown = can.has('QRESYNC') && since?.uidValidity === status.uidValidity;
        return {
          path,
          exists: messages,
          ...status,
          vanished: isKnown && since ? open.vanishedSince(since.modseq) : null,
        };
      }),
    ...readsOf(() => open, command, isCounted),
    setFlag: (uids, flag, isSet) =>
      command(`set ${flag} ${isSet} ${uids.join()}`, () =>
        open.mark(uids, flag === '\\Seen' ? { isRead: isSet } : { isStarred: isSet }),
      ),
    move: (uids, path) => command(`move ${uids.join()} ${path}`, () => move(uids, path)),
    remove: (uids) => command(`remove ${uids.join()}`, () => open.expunge(uids)),
    append: async () => {
      throw new Error('no message of this workload is sent');
    },
    idle: (over) => idle(line, over),
    close: () => {
      close();
      line.world.trace.say(pod.name, 'closes its connection');
    },
  };
}

type Command = ReturnType<typeof createCommands>['command'];

function readsOf(open: () => ImapFolder, command: Command, isCounted: boolean) {
  async function* all<T>(what: string, read: () => T[]): AsyncIterable<T> {
    yield* await command(what, read);
  }
  const found = (uids: readonly number[]): StoredMessage[] =>
    open()
      .messages()
      .filter(({ uid }) => uids.includes(uid));
  return {
    uids: (range: string) =>
      command(`search ${range}`, () =>
        open()
          .within(range)
          .map(({ uid }) => uid),
      ),
    flags: (range: string, since?: bigint) =>
      all(`flags ${range}`, () =>
        open()
          .within(range)
          .filter(({ modseq }) => !isCounted || since === undefined || modseq > since)
          .map(flagsOf),
      ),
    facts: (uids: readonly number[]) =>
      all(`facts ${uids.join()}`, () =>
        found(uids).map((one): MessageFacts => ({
          ...flagsOf(one),
          size: one.raw.length,
          internalDate: one.internalDate,
          emailId: null,
        })),
      ),
    attachments: async () => null,
    sources: (uids: readonly number[]) =>
      all(`fetch ${uids.join()}`, () => found(uids).map(({ uid, raw }) => ({ uid, raw }))),
    findByHeader: async () => [],
  };
}

const flagsOf = ({ uid, isRead, isStarred }: StoredMessage): FlagState => ({
  uid,
  isRead,
  isStarred,
  isDeleted: false,
  labels: [],
});

const SPECIAL: Readonly<Partial<Record<FolderPath, string>>> = { Trash: '\\Trash', Sent: '\\Sent' };

function listed({ path }: ImapFolder, status: FolderStatus): ListedFolder {
  const special = SPECIAL[path];
  return {
    path,
    name: path,
    delimiter: '/',
    parent: [],
    flags: new Set(special ? [special] : []),
    ...(special && { specialUse: special, specialUseSource: 'extension' }),
    status,
  } as ListedFolder;
}

/** Until a message changes, or the caller has other work. */
function idle({ world, pod, hearers }: Line, over: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isChanged: boolean) => {
      hearers.delete(hear);
      over.removeEventListener('abort', leave);
      resolve(isChanged);
    };
    const hear = () => {
      hearers.delete(hear);
      world.after(world.latency(), pod, () => end(true));
    };
    const leave = () => end(false);
    if (over.aborted) return resolve(false);
    hearers.add(hear);
    over.addEventListener('abort', leave, { once: true });
  });
}
