import { ChangesServiceDefinition, type ListChangesRequest } from '@postroom/proto/postroom/v1/changes';
import { apply, type Change, type Mirror } from '../../support/feed-mirror.ts';
import { findAll } from '../workload.ts';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import { untilDone } from './told.ts';

/** The stored facts that a client of the feed knows. */
export interface FollowedEmail {
  _id: string;
  workspaceId: string;
  isRead: boolean;
  isStarred: boolean;
  folderType: string;
  labelIds: string[];
}

/** A client that follows the feed of a workspace, and applies each change to a copy of its emails. */
export interface Follower {
  workspaceId: string;
  mirror: Mirror;
  /** The ids of the changes that it was told, by their numbers less one. */
  ids: readonly (string | undefined)[];
  /** Pages that began elsewhere than the one before had ended. */
  gaps: readonly string[];
}

const MOST_ON_A_PAGE = 7;
const LONGEST_WAIT_MS = 20_000;
const AGAIN_MS = 1_000;
const LATEST_LISTING_MS = 20_000;
const LISTED = { workspaceId: 1, isRead: 1, isStarred: 1, folderType: 1, labelIds: 1 } as const;

/** For each workspace one client that begins with the first change, and one that lists the emails some time. */
export const openFollowers = (world: World, network: Network, workspaceIds: readonly string[]): Follower[] =>
  workspaceIds.flatMap((id) => [openFollower(world, network, id, false), openFollower(world, network, id, true)]);

export const mirrorOf = (workspaceId: string, emails: readonly FollowedEmail[]): Mirror =>
  new Map(
    emails
      .filter((email) => email.workspaceId === workspaceId)
      .map(({ _id, isRead, isStarred, folderType, labelIds: tags }) => [
        _id,
        { isRead, isStarred, folderType, tags: new Set(tags) },
      ]),
  );

/** Page by page. Between pages it waits for the next change, or asks again after a while. */
function openFollower(world: World, network: Network, workspaceId: string, lists: boolean): Follower {
  const process = createProcess(world, `${lists ? 'late ' : ''}follower of ${workspaceId}`);
  const changes = network.connect(ChangesServiceDefinition, process);
  const { clock } = process.context;
  const [mirror, ids, gaps]: [Mirror, string[], string[]] = [new Map(), [], []];
  const call = () => ({ workspaceId, deadline: clock.now() + LONGEST_WAIT_MS + AGAIN_MS });
  let since: ListChangesRequest['since'];
  let last = 0;

  const take = ({ seq, id, event, data }: Change): void => {
    if (seq !== last + 1) gaps.push(`change ${seq} came behind ${last}`);
    last = seq;
    ids[seq - 1] = id;
    apply(mirror, { seq, id, event, data });
    world.trace.say(process.name, `takes ${seq} ${event} ${String(data['emailId'])}`);
  };
  const readPage = async (): Promise<boolean> => {
    const limit = world.chance.between(1, MOST_ON_A_PAGE);
    const page = await changes.listChanges({ since, limit }, call());
    for (const { data, ...change } of page.changes) take({ ...change, data: JSON.parse(data) as Change['data'] });
    since = { $case: 'cursor', value: page.nextCursor };
    return page.hasMore;
  };
  const waitForNext = async (): Promise<void> => {
    const waitMs = world.chance.below(LONGEST_WAIT_MS);
    await changes.watchChanges({ seq: last, waitMs }, call());
  };
  /** The position comes before the listing, so that nothing between them is missed. */
  const list = async (): Promise<void> => {
    await clock.sleep(world.chance.below(LATEST_LISTING_MS));
    const { nextCursor, nextSeq } = await untilDone(process, () =>
      changes.listChanges({ since: { $case: 'now', value: true }, limit: 1 }, call()),
    );
    since = { $case: 'cursor', value: nextCursor };
    last = nextSeq;
    await clock.sleep(world.latency());
    for (const [id, email] of mirrorOf(workspaceId, await findAll<FollowedEmail>(world, 'emails', LISTED)))
      mirror.set(id, email);
    world.trace.say(process.name, `lists ${mirror.size} emails at ${last}`);
  };
  const follow = async (): Promise<void> => {
    if (lists) await list();
    for (;;) {
      try {
        if (!(await readPage())) await waitForNext();
      } catch {
        await clock.sleep(AGAIN_MS);
      }
    }
  };
  within(process, () => void follow());
  return { workspaceId, mirror, ids, gaps };
}
