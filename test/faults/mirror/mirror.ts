import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import type { ApiClient } from '../../support/client.ts';

/** The state of an email in a mirror. A flag is undefined from the appearance of an email to the first change of it. */
interface Mirrored {
  isRead: boolean | undefined;
  isStarred: boolean | undefined;
  folderType: string;
  tags: Set<string>;
}
export type Mirror = Map<string, Mirrored>;

interface Change {
  seq: number;
  id: string;
  event: string;
  data: Record<string, unknown>;
}

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

/** Applies one change. A mirror without the email of a change learns of it from its next listing alone. */
export function apply(mirror: Mirror, { event, data }: Change): void {
  const id = String(data['emailId']);
  const tagId = String(data['tagId']);
  if (event === 'email.removed') mirror.delete(id);
  if (event === 'email.received' || event === 'email.created') {
    const known = mirror.get(id) ?? {
      isRead: undefined,
      isStarred: undefined,
      folderType: '',
      tags: new Set<string>(),
    };
    mirror.set(id, { ...known, folderType: String(data['folderType']) });
  }
  const email = mirror.get(id);
  if (!email) return;
  if (event === 'email.updated') Object.assign(email, data['changes']);
  if (event === 'email.moved') email.folderType = String(data['folderType']);
  if (event === 'email.deleted') email.folderType = 'TRASH';
  if (event === 'label.applied') email.tags.add(tagId);
  if (event === 'label.removed') email.tags.delete(tagId);
}

/** An email may appear with its flags set, and its change does not tell them: a client reads them from the API. */
export function withFlagsRead(mirror: Mirror, truth: Mirror): Mirror {
  return new Map(
    [...mirror].map(([id, email]) => {
      const read = truth.get(id);
      const isRead = email.isRead ?? read?.isRead;
      return [id, { ...email, isRead, isStarred: email.isStarred ?? read?.isStarred }];
    }),
  );
}

/** In words that a failure shows. */
export const described = (mirror: Mirror): string[] =>
  [...mirror]
    .map(([id, { isRead, isStarred, folderType, tags }]) =>
      [id, isRead ? 'read' : 'unread', isStarred ? 'starred' : '', folderType, ...[...tags].toSorted()].join(' '),
    )
    .toSorted();
