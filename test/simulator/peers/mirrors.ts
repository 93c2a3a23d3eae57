import { ChangesServiceDefinition, type ListChangesRequest } from '@postroom/proto/postroom/v1/changes';
import { apply, type Change, type Mirror } from '../../support/feed-mirror.ts';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

/** A client that follows the feed of a workspace, and applies each change to a copy of its emails. */
export interface Follower {
  workspaceId: string;
  mirror: Mirror;
  /** The ids of the changes that it was told, the first of number 1. */
  ids: readonly string[];
  /** Pages that began elsewhere than the one before had ended. */
  gaps: readonly string[];
}

const MOST_ON_A_PAGE = 7;
const LONGEST_WAIT_MS = 20_000;
const AGAIN_MS = 1_000;

/** From the first change on, page by page. Between pages it waits for the next change, or asks again after a while. */
export function openFollower(world: World, network: Network, workspaceId: string): Follower {
  const process = createProcess(world, `follower of ${workspaceId}`);
  const changes = network.connect(ChangesServiceDefinition, process);
  const { clock } = process.context;
  const [mirror, ids, gaps]: [Mirror, string[], string[]] = [new Map(), [], []];
  const call = () => ({ workspaceId, deadline: clock.now() + LONGEST_WAIT_MS + AGAIN_MS });
  let since: ListChangesRequest['since'];

  const take = ({ seq, id, event, data }: Change): void => {
    if (seq !== ids.length + 1) gaps.push(`change ${seq} came behind ${ids.length}`);
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
    await changes.watchChanges({ seq: ids.length, waitMs }, call());
  };
  const follow = async (): Promise<void> => {
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
