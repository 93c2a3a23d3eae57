import { flatten, type Query } from '@postroom/mail-store/filter-tree/query';

/** Alternatives that each have an index in order of date: together they lead to every email that a query finds. */
export type IndexPath = Query[];

/** The facts about a query before it runs. */
interface IndexPaths {
  /** An index answers it alone: every email that is read is shown. */
  isExact: boolean;
  paths: IndexPath[];
}

const LISTS = ['words', 'labelIds', 'senderAddress', 'senderDomain'];
/** Of these the one index has both. */
const CONTAINERS = ['mailboxId', 'folderType'];
const FEW: Query = {
  isRead: false,
  isStarred: true,
  isDraft: true,
  hasAttachments: true,
  waitingForReply: true,
  isAutoReply: true,
  isAutoForward: true,
};
const MOST_PATHS = 4;
const MOST_ALTERNATIVES = 8;
/** Servers merge so many lists in order, and sort all that is in more. */
const MOST_LISTS = 100;

export function indexPathsOf(query: Query): IndexPaths {
  const { $and: rest = [], ...flat } = flatten([query]) as Query & { $and?: Query[] };
  const parts = [...Object.entries(flat).map(([key, value]) => ({ [key]: value })), ...rest].flatMap(eachOfAll);
  const dates = parts.filter((part) => isOf(part, ['date']));
  const containers = parts.filter(isContainer);
  const others = parts.filter((part) => !dates.includes(part) && !containers.includes(part));
  const indexed = others.map(alternativesOf).filter((path) => path.length > 0);
  const isExact = containers.length === 0 ? others.length === 0 || isOne(others, indexed) : others.length === 0;
  const narrow = indexed.slice(0, MOST_PATHS);
  // All emails by date lead nowhere sooner than a single list of some of them does.
  const isCovered = containers.length === 0 && narrow.some((path) => path.length === 1);
  const paths = isCovered ? narrow : [[flatten(containers)], ...narrow];
  return { isExact, paths: paths.map((path) => path.map((part) => flatten([...dates, part]))) };
}

function isOne(others: Query[], indexed: IndexPath[]): boolean {
  return others.length === 1 && indexed.length === 1 && indexed[0]?.length === 1;
}

/** "All of them" is each of them. */
function eachOfAll(part: Query): Query[] {
  const { words } = part as { words?: { $all?: string[] } };
  return words?.$all ? words.$all.map((word) => ({ words: word })) : [part];
}

function alternativesOf(part: Query): IndexPath {
  const alternatives = (part as { $or?: Query[] }).$or ?? [part];
  const isIndexed = alternatives.length <= MOST_ALTERNATIVES && alternatives.every((one) => isList(one) || isFew(one));
  return isIndexed ? alternatives : [];
}

function isContainer(part: Query): boolean {
  return isOf(part, CONTAINERS) && isEquality(Object.values(part)[0]);
}

function isList(part: Query): boolean {
  return isOf(part, LISTS) && isEquality(Object.values(part)[0]);
}

function isFew(part: Query): boolean {
  return isOf(part, Object.keys(FEW)) && Object.entries(part).every(([key, value]) => FEW[key] === value);
}

function isOf(part: Query, known: string[]): boolean {
  const [key, ...more] = Object.keys(part);
  return key !== undefined && more.length === 0 && known.includes(key);
}

function isEquality(value: unknown): boolean {
  const list = (value as { $in?: unknown[] } | null)?.$in;
  return typeof value === 'string' || (Array.isArray(list) && list.length <= MOST_LISTS);
}
