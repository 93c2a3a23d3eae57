import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { rawMessage } from '../support/message.ts';
import { conversations, type Conversation, type Drawn } from './conversations.ts';
import { type MailService, startMailService } from './mail-service.ts';

let mail: MailService;
let twin: MailService;
beforeAll(async () => {
  mail = await startMailService();
  twin = await startMailService({ uri: mail.uri });
});
afterAll(async () => {
  await twin.close();
  await mail.close();
});

const wrap = (id: string) => `<${id}@talk.example>`;
const toMessage = ({ id, answers, refers, subject = 'Talk', isSpam }: Drawn) => ({
  ...rawMessage({
    ...(isSpam && { folderType: 'SPAM' }),
    messageId: wrap(id),
    subject,
    ...(answers !== undefined && { inReplyTo: wrap(answers) }),
    ...(refers && { references: refers.map(wrap) }),
  }),
  sourceKey: id,
});

const emailsOf = ({ _id, workspaceId }: MailboxDocument) =>
  mail.collections.emails.find({ workspaceId, mailboxId: _id }).lean<EmailDocument[]>();

/** The threads of a mailbox as sets of the messages' own names. */
async function threadsOf(mailbox: MailboxDocument): Promise<string[][]> {
  const threads = new Map<string, string[]>();
  for (const { threadId, sourceKey } of await emailsOf(mailbox)) {
    threads.set(threadId ?? '', [...(threads.get(threadId ?? '') ?? []), sourceKey]);
  }
  return sorted([...threads.values()]);
}

const sorted = (threads: string[][]) =>
  threads.map((thread) => thread.toSorted()).sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''));

/** The same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const orders: [string, (messages: Drawn[]) => Drawn[][]][] = [
  ['one after the other', (messages) => messages.map((message) => [message])],
  ['in one batch', (messages) => [messages]],
  ['the newest first', (messages) => messages.toReversed().map((message) => [message])],
  ['shuffled', (messages) => shuffled(messages, 1).map((message) => [message])],
  ['shuffled, in batches of three', (messages) => inBatches(shuffled(messages, 2), 3)],
];

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

describe.each(orders)('conversations that come %s', (_, order) => {
  it.each(conversations)('$name', async ({ messages, threads }: Conversation) => {
    const mailbox = await mail.mailbox();
    for (const batch of order(messages)) await mail.ingest(mailbox, batch.map(toMessage));
    expect(await threadsOf(mailbox)).toEqual(sorted(threads));
  });
});

/** By their seeds: how the messages of all conversations are shuffled and divided among two processes. */
const SEEDS = process.env['POSTROOM_FULL'] ? [1, 2, 3, 4] : [1];

describe('threads', () => {
  it.each(SEEDS)('come out as drawn when two processes take in one mailbox at once (seed %i)', async (seed) => {
    const mailbox = await mail.mailbox();
    const everything = conversations.flatMap(({ messages }, n) => messages.map((message) => renamed(message, `${n}.`)));
    const batches = inBatches(shuffled(everything, seed), 4).map((batch) => batch.map(toMessage));
    await Promise.all(batches.map((batch, n) => (n % 2 ? mail : twin).ingest(mailbox, batch)));
    const drawn = conversations.flatMap(({ threads }, n) => threads.map((thread) => thread.map((id) => `${n}.${id}`)));
    expect(await threadsOf(mailbox)).toEqual(sorted(drawn));
  });

  it('the list item says the thread that the email ended in', async () => {
    const mailbox = await mail.mailbox();
    for (const id of ['a', 'b']) await mail.ingest(mailbox, [toMessage({ id })]);
    await mail.ingest(mailbox, [toMessage({ id: 'c', answers: 'missing', refers: ['a'] })]);
    await mail.ingest(mailbox, [toMessage({ id: 'missing', answers: 'b' })]);
    expect(await threadsOf(mailbox)).toEqual([['a'], ['b', 'c', 'missing']]);
    for (const { rendered: projection, threadId } of await emailsOf(mailbox))
      expect(projection).toContain(`"threadId":"${threadId}"`);
  });

  it('another mailbox keeps its own, also for the same messages', async () => {
    const [one, other] = [await mail.mailbox(), await mail.mailbox()];
    await mail.ingest(one, [toMessage({ id: 'same' })]);
    await mail.ingest(other, [toMessage({ id: 'same' })]);
    const [[mine], [theirs]] = [await emailsOf(one), await emailsOf(other)];
    expect(mine?.threadId).not.toBe(theirs?.threadId);
  });

  it('the provider’s own thread is taken as it is', async () => {
    const mailbox = await mail.mailbox();
    await mail.ingest(mailbox, [
      { ...toMessage({ id: 'a' }), providerThreadId: 'gm-1' },
      { ...toMessage({ id: 'b', answers: 'a' }), providerThreadId: 'gm-2' },
    ]);
    expect((await emailsOf(mailbox)).map(({ sourceKey, threadId }) => `${sourceKey} ${threadId}`)).toEqual(
      expect.arrayContaining(['a gm-1', 'b gm-2']),
    );
  });
});

const renamed = ({ id, answers, refers, ...others }: Drawn, prefix: string): Drawn => ({
  ...others,
  id: prefix + id,
  ...(answers !== undefined && { answers: prefix + answers }),
  ...(refers && { refers: refers.map((name) => prefix + name) }),
});

describe('waiting for a reply', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 2, n));
  const sent = (id: string, text: string, more = {}) =>
    rawMessage({
      messageId: wrap(id),
      from: 'me@example.com',
      to: 'ann@x.example',
      text,
      folderType: 'SENT',
      date: day(1),
      ...more,
    });
  const answer = (to: string, more = {}) =>
    rawMessage({ from: 'ann@x.example', inReplyTo: wrap(to), text: 'Yes.', date: day(2), ...more });
  const waiting = async (mailbox: MailboxDocument) =>
    (await emailsOf(mailbox)).filter(({ waitingForReply }) => waitingForReply).map(({ messageId }) => messageId);

  it('a sent question waits until somebody answers', async () => {
    const mailbox = await mail.mailbox();
    await mail.ingest(mailbox, [sent('q', 'Can you come?'), sent('fyi', 'Just so that you know.')]);
    expect(await waiting(mailbox)).toEqual([wrap('q')]);
    await mail.ingest(mailbox, [answer('q')]);
    expect(await waiting(mailbox)).toEqual([]);
  });

  it('a quoted question is not one of mine', async () => {
    const mailbox = await mail.mailbox();
    await mail.ingest(mailbox, [sent('q', 'Fine with me.\n\nOn Monday, Ann wrote:\n> Can you come?')]);
    expect(await waiting(mailbox)).toEqual([]);
  });

  it('an answer that came first ends it at once', async () => {
    const mailbox = await mail.mailbox();
    await mail.ingest(mailbox, [answer('q')]);
    await mail.ingest(mailbox, [sent('q', 'Can you come?')]);
    expect(await waiting(mailbox)).toEqual([]);
  });

  it('an automatic answer and one of my own do not end it', async () => {
    const mailbox = await mail.mailbox();
    await mail.ingest(mailbox, [sent('q', 'Can you come?')]);
    await mail.ingest(mailbox, [
      answer('q', { headers: { 'Auto-Submitted': 'auto-replied' } }),
      sent('more', 'I forgot this.', { inReplyTo: wrap('q'), date: day(3) }),
    ]);
    expect(await waiting(mailbox)).toEqual([wrap('q')]);
  });
});
