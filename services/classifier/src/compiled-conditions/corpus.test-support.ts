import { automaticEmail } from './memory-patterns.test-support.ts';
import type { MatchedEmail } from './patterns.ts';

/** The truth of an email. A task asks for something to be done. */
export type Kind = 'newsletter' | 'receipt' | 'task' | 'notice';

interface CorpusEmail {
  email: MatchedEmail;
  kind: Kind;
}

interface Sender {
  address: (n: number) => string;
  count: number;
  mail: (n: number, total: number) => { subject: string; kind: Kind } & Partial<MatchedEmail>;
}

const TOPICS = [
  'growth',
  'design',
  'bread',
  'trains',
  'tax',
  'wine',
  'rust',
  'gardens',
  'chess',
  'maps',
  'sleep',
  'jazz',
];
const VERBS = ['Why', 'How', 'When', 'What we learned about', 'Ten notes on', 'A letter about', 'Inside', 'Beyond'];
const NAMES = ['Ann', 'Bob', 'Chen', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jun', 'Kai', 'Lea', 'Max', 'Nia'];
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

const title = (n: number) => `${at(VERBS, n * 7 + Math.floor(n / 12))} ${at(TOPICS, n)} and ${at(TOPICS, n * 5 + 3)}`;

const newsletter = (name: string, count: number): Sender => ({
  address: () => `hello@${name}.example`,
  count,
  mail: (n) => ({ subject: title(n), kind: 'newsletter', listId: `news.${name}.example` }),
});
const digest = (name: string, count: number): Sender => ({
  address: () => `digest@${name}.example`,
  count,
  mail: (n) => ({ subject: `Your weekly digest #${n}`, kind: 'newsletter', listId: `digest.${name}.example` }),
});
const shop = (name: string, count: number): Sender => ({
  address: () => `orders@${name}.example`,
  count,
  mail: (n) => ({ subject: `${at(['Your order', 'Receipt for order'], n)} ${1_000 + n}`, kind: 'receipt' }),
});
const builds = (name: string, count: number): Sender => ({
  address: () => `ci@${name}.example`,
  count,
  mail: (n) =>
    n % 3 === 0
      ? { subject: `Build ${n} failed on main`, kind: 'task' }
      : { subject: `Build ${n} passed on main`, kind: 'notice' },
});
/** Each thread has an address of its own. */
const forge = (name: string, count: number): Sender => ({
  address: (n) => `reply+${n}abc@${name}.example`,
  count,
  mail: (n) => ({ subject: `[api] ${title(n)} (#${n})`, kind: 'notice', listId: `api.${name}.example` }),
});
const social = (name: string, count: number): Sender => ({
  address: () => `notify@${name}.example`,
  count,
  mail: (n) => ({ subject: `${at(NAMES, n)} and ${at(NAMES, n * 3 + 1)} commented on your post`, kind: 'notice' }),
});
/** One address for all that a company sends. */
const mixed = (name: string, count: number): Sender => ({
  address: () => `info@${name}.example`,
  count,
  mail: (n) =>
    n % 4 === 0 ? { subject: `Receipt ${n}`, kind: 'receipt' } : { subject: title(n * 3), kind: 'newsletter' },
});
/** A newsletter that becomes a shop, under its old address and list. */
const changing = (name: string, count: number): Sender => ({
  address: () => `team@${name}.example`,
  count,
  mail: (n, total) => ({
    subject: title(n),
    kind: n < total * 0.6 ? 'newsletter' : 'receipt',
    listId: `team.${name}.example`,
  }),
});
/** Receipts in the name of a newsletter: most are found out, and one server says nothing of the sender. */
const forged = (name: string, count: number): Sender => ({
  address: () => `hello@${name}.example`,
  count,
  mail: (n) => ({
    subject: title(n),
    kind: 'receipt',
    listId: `news.${name}.example`,
    ...(n % 4 === 0 ? { authentication: { spf: null, dkim: null, dmarc: null } } : { failsDmarc: true }),
  }),
});

const SENDERS: readonly Sender[] = [
  ...['acorn', 'birch', 'cedar', 'daisy', 'elm', 'fern', 'grove', 'holly'].map((name) => newsletter(name, 90)),
  ...['iris', 'jade', 'kelp', 'larch'].map((name) => digest(name, 60)),
  ...['mall', 'nook', 'outlet', 'plaza', 'quay'].map((name) => shop(name, 80)),
  ...['rig', 'silo', 'tower'].map((name) => builds(name, 150)),
  ...['union', 'vault'].map((name) => forge(name, 150)),
  ...['wave', 'xylo', 'yard'].map((name) => social(name, 100)),
  ...['zinc', 'amber'].map((name) => mixed(name, 60)),
  ...['basil', 'clover', 'dill'].map((name) => changing(name, 120)),
  forged('acorn', 24),
];

/** The mail of all senders as it comes in over the time, mixed evenly. */
export function corpus(): CorpusEmail[] {
  const dated = SENDERS.flatMap(({ address, count, mail }, sender) =>
    Array.from({ length: count }, (_, n) => {
      const { kind, ...parts } = mail(n, count);
      const senderAddress = address(n);
      const senderDomain = senderAddress.split('@')[1] ?? '';
      const email = automaticEmail({ _id: `eml_${sender}_${n}`, senderAddress, senderDomain, ...parts });
      return { email, kind, when: (n + sender / SENDERS.length) / count };
    }),
  );
  return dated.toSorted((one, other) => one.when - other.when);
}
