import { expect, it } from '@jest/globals';
import type { ThreadJson } from '@postroom/contract/thread';
import type { Query } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import type { Call } from '@postroom/rpc/call';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { createCursors, type Position } from '../cursors/cursors.ts';
import type { ThreadKey } from './thread-list-store.ts';
import { readThreadPage, type ThreadDeps } from './threads.ts';

interface Mail extends ThreadKey {
  _id: string;
  date: Date;
  receivedAt: Date;
  folderType: string;
}

const call = { workspaceId: 'wsp_1', signal: new AbortController().signal } as Call;
const START = Date.parse('2026-03-01T00:00:00Z');
const template = emailDocument();
const rest = { isRead: false, isStarred: false, hasAttachments: false, labelIds: [] };
const order = (one: Pick<Mail, 'date' | '_id'>, other: Pick<Mail, 'date' | '_id'>) =>
  other.date.getTime() - one.date.getTime() || (one._id < other._id ? 1 : -1);
const has = (mail: Mail, { folderType = mail.folderType }: Query) => mail.folderType === folderType;

/** The stores over a list of emails, and how many emails they hand out. */
function world(mails: Mail[]) {
  let [now, read] = [START, 0];
  const seen = <T>(found: T[]) => {
    read += found.length;
    return Promise.resolve(found);
  };
  let sorted: Mail[] = [];
  const newestFirst = () => (sorted.length === mails.length ? sorted : (sorted = mails.toSorted(order)));
  const behind = (query: Query, after: Position['after']) =>
    newestFirst().filter((mail) => has(mail, query) && (!after || order(mail, { ...after, _id: after.id }) > 0));
  const isIn = (keys: readonly ThreadKey[]) => {
    const ids = new Set(keys.map(({ threadId }) => threadId));
    return (mail: Mail) => ids.has(mail.threadId);
  };
  const deps = {
    context: { clock: { now: () => now } },
    cursors: createCursors('secret'),
    settings: { livingLabels: async () => [] },
    pages: {
      newest: (_w: string, query: Query, { after }: { after: Position['after'] }, count: number) =>
        seen(behind(query, after).slice(0, count).map(toListItem)),
      positionAfter: async (_w: string, query: Query, after: Position['after'], count: number) => {
        const mail = behind(query, after)[count - 1];
        return mail ? { date: mail.date, id: mail._id } : null;
      },
    },
    threads: {
      members: (_w: string, keys: ThreadKey[], most: number) =>
        seen(
          mails
            .filter(isIn(keys))
            .slice(0, most)
            .map((mail) => ({ ...mail, ...rest })),
        ),
      newestMembers: (_w: string, key: ThreadKey, most: number) =>
        seen(
          newestFirst()
            .filter(isIn([key]))
            .slice(0, most)
            .map((mail) => ({ ...mail, ...rest })),
        ),
      matching: (_w: string, keys: ThreadKey[], query: Query, most: number) =>
        seen(mails.filter((mail) => isIn(keys)(mail) && has(mail, query)).slice(0, most)),
      projections: async (_w: string, ids: string[]) => {
        const wanted = new Set(ids);
        return new Map(mails.flatMap((mail) => (wanted.has(mail._id) ? [[mail._id, projectionOf(mail)]] : [])));
      },
    },
  } as unknown as ThreadDeps;
  const mailboxes = {};
  const page = async (asked: Query, limit: number, cursor?: string) => {
    const query = Object.keys(asked).length === 0 ? mailboxes : asked;
    const position = cursor === undefined ? { tier: 0, after: null } : deps.cursors.read([], cursor);
    const { json } = await readThreadPage({ identity: [], position, limit, query, mailboxes }, deps, call);
    return JSON.parse(Buffer.from(json).toString()) as { items: ThreadJson[]; nextCursor: string | null };
  };
  return { page, now: () => now, pass: (ms: number) => (now += ms), readSince: () => [read, (read = 0)][0] };
}

const projectionOf = ({ _id, threadId, mailboxId, date }: Mail) =>
  template.rendered
    .replace('"threadId":null', `"threadId":"${threadId}"`)
    .replace(/"id":"[^"]+"/, `"id":"${_id}"`)
    .replace(/"mailboxId":"[^"]+"/, `"mailboxId":"${mailboxId}"`)
    .replace(/"date":"[^"]+"/, `"date":"${date.toISOString()}"`);

function toListItem(mail: Mail): RawListItem {
  const { _id: id, date } = mail;
  return { id, date: date.getTime(), folderId: '', waitingForReply: false, rendered: projectionOf(mail), ...rest };
}

let made = 0;
const email = (threadId: string, minute: number, parts: Partial<Mail> = {}): Mail => ({
  _id: `eml_${String((made += 1)).padStart(6, '0')}`,
  threadId,
  mailboxId: 'mbx_1',
  date: new Date(START + minute * 60_000),
  receivedAt: new Date(START - 3_600_000),
  folderType: 'INBOX',
  ...parts,
});

type World = ReturnType<typeof world>;

async function pages({ page }: World, query: Query, limit: number, between: (page: number) => void = () => undefined) {
  const found: string[] = [];
  for (let cursor: string | undefined, n = 0; ; n += 1) {
    const { items, nextCursor } = await page(query, limit, cursor);
    found.push(...items.map(({ id }) => id));
    if (nextCursor === null) return found;
    between(n);
    cursor = nextCursor;
  }
}

const threads = Array.from({ length: 9 }, (_, n) => `thr_${n}`);
const FILTERS: [string, Query][] = [
  ['every email', {}],
  ['a folder', { folderType: 'INBOX' }],
];

it.each(FILTERS)(
  'pages of %s neither lose nor repeat a thread when a reply with any date is stored after any of them',
  async (_name, query) => {
    let cases = 0;
    for (const reply of threads) {
      for (const after of [0, 1, 2, 3]) {
        for (const minute of [-5, 1, 25, 49, 1_000]) {
          cases += 1;
          const mails = threads.flatMap((id, n) => [email(id, n * 3), email(id, 30 + n * 3)]);
          const one = world(mails);
          const found = await pages(one, query, 2, (n) => {
            // The clock of the process that stores it may be behind, and it was on its way while the page was read.
            if (n === after) mails.push(email(reply, minute, { receivedAt: new Date(one.now() - 1_000) }));
            one.pass(100);
          });
          expect(found.toSorted()).toEqual(threads);
        }
      }
    }
    expect(cases).toBe(180);
  },
);

it.each(FILTERS)(
  'pages of %s do not repeat a thread that got mail just before the first of them',
  async (_name, query) => {
    const received = { receivedAt: new Date(START - 10) };
    const mails = threads.flatMap((id, n) => [email(id, n), email(id, 100 + n, received)]);
    expect(await pages(world(mails), query, 2)).toEqual(threads.toReversed());
  },
);

it('a call reads a bounded number of emails where threads have thousands, and the pages have every thread', async () => {
  const long = Array.from({ length: 5_100 }, (_, n) => [email('thr_long', n * 2), email('thr_longer', n * 2 + 1)]);
  const short = threads.map((id, n) => email(id, n * 1_000, { folderType: n === 4 ? 'SPAM' : 'INBOX' }));
  const one = world([...long.flat(), ...short]);
  for (const query of [{}, { folderType: 'INBOX' }]) {
    one.readSince();
    const { items } = await one.page(query, 10);
    expect(one.readSince()).toBeLessThan(30_000);
    expect(items.slice(0, 2).map(({ id, emailCount }) => [id, emailCount])).toEqual([
      ['thr_longer', 5_100],
      ['thr_long', 5_100],
    ]);
  }
  expect((await pages(one, {}, 200)).toSorted()).toEqual([...threads, 'thr_long', 'thr_longer'].toSorted());
  one.readSince();
  expect((await one.page({ folderType: 'SPAM' }, 50)).items.map(({ id }) => id)).toEqual(['thr_4']);
  expect(one.readSince()).toBeLessThan(10);
});
