import { bounds } from '@postroom/contract/bounds';
import type { Query } from '@postroom/mail-store/filter-tree/query';
import { NEVER } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import type { Page } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { Cursors, Position } from '../cursors/cursors.ts';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';
import { freshEffort, scanPages, readIfFew, weightOf } from './scan-pages.ts';
import { fitting, labelIdsOn, pageJson, toItemsJson } from './page-json.ts';
import type { PageStore } from './page-store.ts';

export { fitting, pageJson, readIfFew, weightOf };
export type { PageStore };

export interface PagingDeps {
  cursors: Cursors;
  settings: Pick<SettingsStore, 'livingLabels'>;
  pages: PageStore;
}

interface PageRequest {
  /** Everything the page depends on but its size, which a cursor is bound to. */
  identity: readonly unknown[];
  /** One query for each tier: all of the first by date, then all of the second. */
  tiers: Query[];
  position: Position;
  limit: number;
  pageBytes?: number | undefined;
}

/** Unreadable is the default, too much is the most there is: a bound of the work, so it holds for every caller. */
export function clampLimit(limit: number): number {
  return limit > 0 ? Math.min(limit, bounds.page.most) : bounds.page.usual;
}

export function startOf(cursor: string | undefined, identity: readonly unknown[], cursors: Cursors): Position {
  return cursor === undefined ? { tier: 0, after: null } : cursors.read(identity, cursor);
}

/**
 * One email more than the limit is read to know whether there is another page. A page may also end early, when the bound
 * of the scan is reached. Its cursor continues from there.
 */
export async function readPage(request: PageRequest, deps: PagingDeps, call: Call): Promise<Page> {
  const { identity, limit } = request;
  const { found, stoppedAt } = await readTiers(request, deps.pages, call);
  const shown = found.slice(0, limit);
  const items = shown.map(({ item }) => item);
  const fittingItems = await itemsWithLabels(items, deps, call, request.pageBytes);
  const last = found.length > fittingItems.length ? shown[fittingItems.length - 1] : undefined;
  const next = last ? { tier: last.tier, after: { date: new Date(last.item.date), id: last.item.id } } : stoppedAt;
  return { json: pageJson(fittingItems, next ? deps.cursors.write(identity, next) : null) };
}

/** The first of these items that make a page of no more than its bound. */
export async function itemsWithLabels(
  items: RawListItem[],
  { settings }: Pick<PagingDeps, 'settings'>,
  call: Call,
  most?: number,
): Promise<string[]> {
  const labels = await settings.livingLabels(call.workspaceId, labelIdsOn(items), call);
  return fitting(toItemsJson(items, labels), most);
}

async function readTiers({ tiers, position, limit }: PageRequest, pages: PageStore, call: Call) {
  const found: { tier: number; item: RawListItem }[] = [];
  const effort = freshEffort();
  for (let tier = position.tier; tier < tiers.length && found.length <= limit; tier++) {
    const query = tiers[tier] ?? NEVER;
    if (query === NEVER) continue;
    const after = tier === position.tier ? position.after : null;
    const { items, stoppedAt } = await scanPages(query, after, limit + 1 - found.length, effort, pages, call);
    found.push(...items.map((item) => ({ tier, item })));
    if (stoppedAt) return { found, stoppedAt: { tier, after: stoppedAt.after } };
  }
  return { found };
}
