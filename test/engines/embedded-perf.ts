import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Collection, MongoClient } from 'mongodb';
import { type EmbeddedProcess, startEmbeddedProcess } from './support/embedded-process.ts';

/**
 * Weighs the embedded server: memory, page time, restart.
 *   node --conditions=@postroom/source -r @postroom/from-source/register test/engines/embedded-perf.ts --emails 100000
 */
const { values } = parseArgs({ options: { emails: { type: 'string', default: '100000' } } });
const emails = Number(values.emails);

interface Email {
  _id: string;
  [field: string]: unknown;
}

let seed = 42;
const random = (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
/** Few words are common and most are rare, as in mail. */
const word = (): string => `w${Math.floor(30_000 ** random())}`;
const filler = 'Kind regards and many thanks for the quick answer. '.repeat(50);

function email(i: number): Email {
  const id = Array.from({ length: 22 }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[Math.floor(random() * 36)]).join(
    '',
  );
  const sender = `person${Math.floor(random() * 5000)}@example.com`;
  return {
    _id: `eml_${id}`,
    workspaceId: 'wsp_3kTMd8xZ0aQpLw9vBnR1Yc',
    mailboxId: `mbx_${i % 3}`,
    threadId: `thr_${Math.floor(i / 3)}`,
    messageId: `<${id}@example.com>`,
    date: new Date(1_700_000_000_000 + Math.floor(random() * 3.1e10)),
    folder: ['inbox', 'archive', 'sent', 'spam'][i % 4],
    isRead: random() < 0.9,
    labelIds: [`lbl_${i % 11}`],
    from: { address: sender, name: 'A Person' },
    subject: `About ${word()} and ${word()}`,
    tokens: [...new Set(Array.from({ length: 45 }, word))].slice(0, 40),
    listItem: filler.slice(0, 1900),
  };
}

const indexes = [
  { key: { workspaceId: 1, date: -1, _id: -1 }, name: 'by_date' },
  { key: { workspaceId: 1, mailboxId: 1, folder: 1, date: -1, _id: -1 }, name: 'by_folder' },
  { key: { workspaceId: 1, mailboxId: 1, messageId: 1 }, name: 'message_once', unique: true },
  { key: { workspaceId: 1, threadId: 1, date: -1, _id: -1 }, name: 'by_thread' },
  { key: { workspaceId: 1, labelIds: 1, date: -1, _id: -1 }, name: 'by_label' },
  { key: { workspaceId: 1, 'from.address': 1, date: -1, _id: -1 }, name: 'by_sender' },
  { key: { workspaceId: 1, date: -1, _id: -1 }, name: 'unread', partialFilterExpression: { isRead: false } },
  { key: { workspaceId: 1, tokens: 1, date: -1, _id: -1 }, name: 'by_token' },
] as const;

const say = (what: string, figure: string): void => console.log(`${what.padEnd(46)} ${figure}`);
const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now();
  const result = await work();
  say(what, `${(performance.now() - started).toFixed(0)} ms`);
  return result;
};

async function fill(mail: Collection<Email>): Promise<void> {
  await mail.createIndexes(indexes.map((index) => ({ ...index })));
  for (let at = 0; at < emails; at += 500) {
    const batch = Array.from({ length: Math.min(500, emails - at) }, (_, i) => email(at + i));
    await mail.insertMany(batch, { ordered: false });
  }
}

async function median(what: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  let size = 0;
  for (let i = 0; i < 101; i += 1) {
    const started = performance.now();
    size = await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  say(what, `${times[50]?.toFixed(2)} ms median, ${times[95]?.toFixed(2)} ms at 95 %, ${size} documents`);
}

async function measurePages(mail: Collection<Email>): Promise<void> {
  const filter = { workspaceId: 'wsp_3kTMd8xZ0aQpLw9vBnR1Yc' };
  const sort = { date: -1, _id: -1 } as const;
  const page = async (where: object): Promise<number> =>
    (await mail.find(where, { raw: true }).sort(sort).limit(50).toArray()).length;
  const [deep] = await mail
    .find(filter)
    .sort(sort)
    .skip(Math.min(100_000, emails) - 100)
    .limit(1)
    .toArray();
  const behind = { $or: [{ date: { $lt: deep?.['date'] } }, { date: deep?.['date'], _id: { $lt: deep?._id } }] };
  await median('page 1 by date', () => page(filter));
  await median('a page near the end, by keyset', () => page({ ...filter, ...behind } as object));
  await median('a common word', () => page({ ...filter, tokens: 'w1' }));
  await median('a rare word', () => page({ ...filter, tokens: 'w29876' }));
  await median('two folders of a mailbox, merged', () =>
    page({ ...filter, mailboxId: 'mbx_1', folder: { $in: ['inbox', 'sent'] } }),
  );
  await median('one email by id', () =>
    mail
      .find({ _id: deep?._id ?? '' })
      .toArray()
      .then((found) => found.length),
  );
  await median('count of a folder', () =>
    mail.countDocuments({ ...filter, mailboxId: 'mbx_1', folder: 'inbox' }).then(() => 1),
  );
}

async function withMail<T>(server: EmbeddedProcess, work: (mail: Collection<Email>) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(server.uri);
  try {
    return await work(client.db('perf').collection<Email>('mail'));
  } finally {
    await client.close();
  }
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-perf-'));
  try {
    let server = await startEmbeddedProcess(directory);
    say('empty', `${server.residentMegabytes().toFixed(0)} MB`);
    await timed(`${emails} emails in, 9 indexes`, () => withMail(server, fill));
    say('memory after filling', `${server.residentMegabytes().toFixed(0)} MB`);
    await withMail(server, measurePages);
    say('memory after reading', `${server.residentMegabytes().toFixed(0)} MB`);
    await server.kill();
    server = await timed('restart after kill -9', () => startEmbeddedProcess(directory));
    say('memory after that', `${server.residentMegabytes().toFixed(0)} MB`);
    say('emails', String(await withMail(server, (mail) => mail.estimatedDocumentCount())));
    await timed('clean end', () => server.close());
    server = await timed('restart after a clean end', () => startEmbeddedProcess(directory));
    say('memory after that', `${server.residentMegabytes().toFixed(0)} MB`);
    await withMail(server, measurePages);
    await server.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

void main();
