import { flatten, type Query } from '@postroom/mail-store/filter-tree/query';

/** Alternatives that each have an index in order of date: together they lead to every email that a query finds. */
export type Lead = Query[];

/** The facts about a query before it runs. */
interface Leads {
  /** An index answers it alone: every email that is read is shown. */
  isExact: boolean;
  leads: Lead[];
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
const MOST_LEADS = 4;
const MOST_ALTERNATIVES = 8;
/** Servers merge so many lists in order, and sort all that is in more. */
const MOST_LISTS = 100;

export function leadsOf(query: Query): Leads {
  const { $and: rest = [], ...flat } = flatten([query]) as Query & { $and?: Query[] };
  const parts = [...Object.entries(flat).map(([key, value]) => ({ [key]: value })), ...rest].flatMap(eachOfAll);
  const dates = parts.filter((part) => isOf(part, ['date']));
  const containers = parts.filter(isContainer);
  const others = parts.filter((part) => !dates.includes(part) && !containers.includes(part));
  const leading = others.map(alternativesOf).filter((lead) => lead.length > 0);
  const isExact = containers.length === 0 ? others.length === 0 || isOne(others, leading) : others.length === 0;
  const narrow = leading.slice(0, MOST_LEADS);
  // All emails by date lead nowhere sooner than a single list of some of them does.
  const isCovered = containers.length === 0 && narrow.some((lead) => lead.length === 1);
  const leads = isCovered ? narrow : [[flatten(containers)], ...narrow];
  return { isExact, leads: leads.map((lead) => lead.map((part) => flatten([...dates, part]))) };
}

function isOne(others: Query[], leading: Lead[]): boolean {
  return others.length === 1 && leading.length === 1 && leading[0]?.length === 1;
}

/** "All of them" is each of them. */
function eachOfAll(part: Query): Query[] {
  const { words } = part as { words?: { $all?: string[] } };
  return words?.$all ? words.$all.map((word) => ({ words: word })) : [part];
}

function alternativesOf(part: Query): Lead {
  const alternatives = (part as { $or?: Query[] }).$or ?? [part];
  const isLead = alternatives.length <= MOST_ALTERNATIVES && alternatives.every((one) => isList(one) || isFew(one));
  return isLead ? alternatives : [];
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
