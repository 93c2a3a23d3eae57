import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import type { ApiClient } from '../../support/client.ts';
import type { Change, Mirror, Mirrored } from '../../support/feed-mirror.ts';

interface Listed extends Omit<Mirrored, 'tags' | 'folderType'> {
  id: string;
  folderId: string;
  tags: { id: string }[];
}

/** The folder types by id, which a listing names by id alone. Folders that are not among them are of the type OTHER. */
export type Folders = ReadonlyMap<string, string>;

const mirrored = ({ isRead, isStarred, folderId, tags }: Omit<Listed, 'id'>, folders: Folders): Mirrored => ({
  isRead,
  isStarred,
  folderType: folders.get(folderId) ?? 'OTHER',
  tags: new Set(tags.map(({ id }) => id)),
});

const MOST_ATTEMPTS = 90;

/** Every email as the API lists it. */
export async function listed(api: ApiClient, folders: Folders): Promise<Mirror> {
  const mirror: Mirror = new Map();
  for (let cursor = ''; ;) {
    const body = await page(api, `/emails?limit=200${cursor && `&cursor=${cursor}`}`);
    for (const item of body.items as Listed[]) mirror.set(item.id, mirrored(item, folders));
    if (!body.nextCursor) return mirror;
    cursor = body.nextCursor;
  }
}

/** The callers beside it use up what a workspace may do at once and in a minute. */
async function page(api: ApiClient, path: string) {
  for (let attempt = 0; ; attempt += 1) {
    const { status, body } = await api.get(path);
    if (status === 200) return body;
    if (attempt === MOST_ATTEMPTS) throw new Error(`the listing answered ${status}`);
    await sleep(1_000);
  }
}

/** Every change behind a number, in order. */
export async function changesBehind(
  feed: Client<typeof ChangesServiceDefinition>,
  workspaceId: string,
  seq: number,
): Promise<Change[]> {
  const found: Change[] = [];
  for (let after = seq; ;) {
    const page = await feed.listChanges({ since: { $case: 'seq', value: after }, limit: 500 }, { workspaceId });
    for (const { seq: number, id, event, data } of page.changes)
      found.push({ seq: number, id, event, data: JSON.parse(data) as Record<string, unknown> });
    if (!page.hasMore) return found;
    after = page.nextSeq;
  }
}
