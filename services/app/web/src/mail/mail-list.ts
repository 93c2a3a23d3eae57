import type { MailChangeAnswer, MailItemAnswer, PageOf } from '@postroom/app/answers';

/** The emails of a list as far as they are loaded, the newest first. */
export interface MailList {
  items: readonly MailItemAnswer[];
  nextCursor: string | null;
  /** Whether a page was loaded. */
  isLoaded: boolean;
  /** Emails that a person has done away with here: they are left out, also where the server still lists them. */
  hidden: ReadonlySet<string>;
}

export const EMPTY_LIST: MailList = { items: [], nextCursor: null, isLoaded: false, hidden: new Set() };

type MailPage = PageOf<MailItemAnswer>;
type Position = Pick<MailItemAnswer, 'id' | 'date'>;

/** The order of the server: by date, then by id, the newest first. */
function isBefore(one: Position, other: Position): boolean {
  return one.date === other.date ? one.id > other.id : one.date > other.date;
}

/** The next page. An email that moved up meanwhile is in the list already. */
export function withNextPage(list: MailList, { items, nextCursor }: MailPage): MailList {
  const known = new Set(list.items.map(({ id }) => id));
  const fresh = items.filter(({ id }) => !known.has(id));
  return { ...list, items: [...list.items, ...fresh], nextCursor, isLoaded: true };
}

/**
 * The list as it is when its newest page is read again. Within that page the server is right; behind it, the list is. Where
 * so much has come in that the page no longer meets the list, the list begins anew, because emails between them would be
 * missing.
 */
export function withNewestPage(list: MailList, page: MailPage): MailList {
  const { items, nextCursor, hasMore } = page;
  const last = items.at(-1);
  if (!hasMore) return { ...list, items, nextCursor: null, isLoaded: true };
  const [first] = list.items;
  if (!last) return list;
  if (!first || isBefore(last, first)) return { ...list, items, nextCursor, isLoaded: true };
  const fresh = new Set(items.map(({ id }) => id));
  const behind = list.items.filter((item) => isBefore(last, item) && !fresh.has(item.id));
  return behind.length === 0
    ? { ...list, items, nextCursor, isLoaded: true }
    : { ...list, items: [...items, ...behind] };
}

export function withChangedItems(
  list: MailList,
  ids: ReadonlySet<string>,
  change: (item: MailItemAnswer) => MailItemAnswer,
): MailList {
  return { ...list, items: list.items.map((item) => (ids.has(item.id) ? change(item) : item)) };
}

/**
 * The list after changes that were made elsewhere. They tell what became of emails behind the newest page, which nobody reads
 * again; without a folder type the list has emails of all folders.
 */
export function withChanges(list: MailList, folderType: string | null, changes: readonly MailChangeAnswer[]): MailList {
  const flags = new Map<string, NonNullable<MailChangeAnswer['changes']>>();
  const left = new Set<string>();
  for (const { event, emailId, changes: changed, folderType: isIn = null } of changes) {
    if (changed) flags.set(emailId, { ...flags.get(emailId), ...changed });
    const now = event === 'email.deleted' ? 'TRASH' : isIn;
    if (event === 'email.removed' || (folderType !== null && now !== null && now !== folderType)) left.add(emailId);
    else if (now !== null) left.delete(emailId);
  }
  if (!list.items.some(({ id }) => flags.has(id) || left.has(id))) return list;
  const items = list.items
    .filter(({ id }) => !left.has(id))
    .map((item) => (flags.has(item.id) ? { ...item, ...flags.get(item.id) } : item));
  return { ...list, items };
}

export function withHidden(list: MailList, ids: readonly string[], isHidden: boolean): MailList {
  const hidden = new Set(list.hidden);
  for (const id of ids) {
    if (isHidden) hidden.add(id);
    else hidden.delete(id);
  }
  return { ...list, hidden };
}

export function shownItems({ items, hidden }: MailList): readonly MailItemAnswer[] {
  return hidden.size === 0 ? items : items.filter(({ id }) => !hidden.has(id));
}

/** The emails beside one, which need not be in the list any more. */
export function neighboursOf(items: readonly MailItemAnswer[], here: Position) {
  const others = items.filter(({ id }) => id !== here.id);
  const at = others.findIndex((item) => isBefore(here, item));
  const split = at === -1 ? others.length : at;
  return { previous: others[split - 1], next: others[split] };
}
