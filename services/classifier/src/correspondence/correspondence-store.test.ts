import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { writtenToOf } from '@postroom/mail-store/written-to';
import { manualClock } from '@postroom/runtime/clock';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { askedEmail } from '../classify/in-memory.test-support.ts';
import { seenMail } from '../mail/seen-mail.test-support.ts';
import { replyPromptFor } from '../model/reply-prompt.ts';
import { type CorrespondenceStore, createCorrespondenceStore } from './correspondence-store.ts';
import { createCorrespondence } from './correspondence.ts';

const [WORKSPACE, MAILBOX, OWNER] = ['wsp_1', 'mbx_1', 'ann@acme.example'];
const PEOPLE = ['bob', 'carol', 'dave', 'eve'].map((name) => `${name}@other.example`);
const SEEDS = Array.from({ length: 12 }, (_, n) => n + 1);

let database: TestDatabase;
let store: CorrespondenceStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createCorrespondenceStore(database.collections);
}, 60_000);
afterAll(() => database.close());

const address = (email: string) => ({ email, name: null });

async function put(emails: readonly { email: EmailDocument; text: string }[]): Promise<void> {
  const { collections } = database;
  await collections.emails.collection.insertMany(emails.map(({ email }) => email) as never[]);
  const bodies = emails.map(({ email: { _id, workspaceId, mailboxId }, text }) => {
    return { _id, workspaceId, mailboxId, html: null, text, createdAt: new Date() };
  });
  await collections.bodies.collection.insertMany(bodies as never[]);
}

const QUOTATIONS = [
  (text: string) => `\n\nOn Tue, 3 Mar 2026, somebody wrote:\n> ${text}`,
  (text: string) => `\n---------- Forwarded message ----------\nFrom: somebody\n\n${text}`,
  (text: string) => `\nFrom: somebody\nSent: Tuesday\n\n${text}`,
  () => '',
];
/** Each but the plain ones has no place in a prompt. */
const KINDS: Partial<EmailDocument>[] = [
  ...Array.from({ length: 6 }, () => ({})),
  { folderType: 'SPAM' },
  { folderType: 'TRASH' },
  { isDraft: true, folderType: 'DRAFTS' },
  { threadId: 'another' },
  { mailboxId: 'mbx_2' },
  { workspaceId: 'wsp_2' },
];

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Forty messages of four people and the owner, who write to each other and quote each other; few are as they should be. */
function generated(seed: number) {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  return Array.from({ length: 40 }, (_, n) => {
    const isOwn = random(3) === 0;
    const from = isOwn ? OWNER : pick(PEOPLE);
    const to = PEOPLE.filter(() => random(3) === 0);
    const kind = pick([...KINDS, isOwn ? { isAutoForward: true } : { failsDmarc: true }]);
    const mark = `mark${seed}x${n}x`;
    const folderType = isOwn && !kind.folderType ? 'SENT' : (kind.folderType ?? 'INBOX');
    const parts = { _id: mark, workspaceId: WORKSPACE, mailboxId: MAILBOX, threadId: `thr_${seed}` };
    const [first = OWNER, ...others] = to;
    const people = { from: address(from), to: [address(first)], cc: others.map(address) };
    const date = new Date(random(20) * 1_000);
    const email = emailDocument({ ...parts, ...people, date, ...kind, folderType });
    const writtenTo = writtenToOf(folderType, email);
    const quoted = pick(QUOTATIONS)(`mark${seed}x${random(40)}x quoted`);
    const isPlain = Object.keys(kind).length === 0;
    return { email: { ...email, ...(writtenTo && { writtenTo }) }, text: `${mark} said.${quoted}`, mark, isPlain };
  });
}

describe('a reply in a thread of many people', () => {
  it.each(SEEDS)(
    'is made of what its sender and the owner wrote to each other, and of nothing else: %d',
    async (seed) => {
      const messages = generated(seed);
      await put(messages);
      const { contextOf } = createCorrespondence(store, { find: async () => null }, manualClock());
      for (const sender of PEOPLE) {
        const email = askedEmail({ threadId: `thr_${seed}`, from: address(sender.toUpperCase()) });
        const { thread, owner } = await contextOf(WORKSPACE, email);
        const between = messages.filter(({ email: { from, writtenTo }, isPlain }) => {
          return isPlain && (from.email === sender || (from.email === OWNER && writtenTo?.includes(sender)));
        });
        const prompt = JSON.stringify(replyPromptFor({ mail: seenMail(), thread, owner }));
        const marks = [...new Set(prompt.match(/mark\d+x\d+x/g))];
        const isNewer = (one: EmailDocument, other: EmailDocument) =>
          one.date.getTime() - other.date.getTime() || (one._id < other._id ? -1 : 1);
        const newest = between.toSorted((one, other) => isNewer(one.email, other.email)).slice(-6);
        expect(marks).toEqual(newest.map(({ mark }) => mark));
        expect(prompt).not.toContain('quoted"');
      }
    },
  );

  it('does not tell of earlier messages where the reply goes elsewhere, or the sender is doubtful', async () => {
    const email = askedEmail({ threadId: 'thr_told' });
    const before = { workspaceId: WORKSPACE, mailboxId: MAILBOX, threadId: 'thr_told', from: email.from };
    await put([{ email: emailDocument(before), text: 'before' }]);
    const { contextOf } = createCorrespondence(store, { find: async () => null }, manualClock());
    const textsOf = async (parts: object) =>
      (await contextOf(WORKSPACE, { ...email, ...parts })).thread.map(({ text }) => text);
    expect(await textsOf({})).toEqual(['before']);
    expect(await textsOf({ replyTo: 'desk@other.example' })).toEqual([]);
    expect(await textsOf({ failsDmarc: true })).toEqual([]);
    expect(await textsOf({ threadId: null })).toEqual([]);
    expect(await textsOf({ from: address('') })).toEqual([]);
  });
});

describe('a sender', () => {
  const sent = (parts: Partial<EmailDocument>) => {
    const email = emailDocument({ workspaceId: WORKSPACE, mailboxId: MAILBOX, folderType: 'SENT', ...parts });
    return { email: { ...email, writtenTo: writtenToOf(email.folderType, email) ?? [] }, text: '' };
  };
  const knows = (email: string, mailboxId = MAILBOX, workspaceId = WORKSPACE) =>
    store.hasWrittenTo(workspaceId, mailboxId, email);

  it('was written to where sent mail names the address in To, Cc or Bcc', async () => {
    await put([
      sent({
        to: [address('To@known.example')],
        cc: [address('cc@known.example')],
        bcc: [address('bcc@known.example')],
      }),
    ]);
    expect(await Promise.all(['to', 'CC', 'bcc'].map((who) => knows(`${who}@known.example`)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await knows('other@known.example')).toBe(false);
    expect(await knows('to@known.example', 'mbx_2')).toBe(false);
    expect(await knows('to@known.example', MAILBOX, 'wsp_2')).toBe(false);
    expect(await knows('')).toBe(false);
  });

  it('was not written to by a draft or an automatic reply, and was by sent mail that is in the trash now', async () => {
    await put([
      sent({ to: [address('draft@known.example')], folderType: 'DRAFTS', isDraft: true }),
      sent({ to: [address('machine@known.example')], isAutoReply: true }),
    ]);
    const { email, text } = sent({ to: [address('trashed@known.example')] });
    await put([{ email: { ...email, folderType: 'TRASH' }, text }]);
    const asked = ['draft', 'machine', 'trashed'].map((who) => knows(`${who}@known.example`));
    expect(await Promise.all(asked)).toEqual([false, false, true]);
  });
});
