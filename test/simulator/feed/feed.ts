import { addressOf, drawMails, storeSetting, WORKSPACES } from '../arriving/setting.ts';
import { type Followed, feedPromises, type StoredChange } from '../followed.ts';
import { type Changing, drawChanging, openChangingUsers } from '../peers/changing-users.ts';
import { openMailSource } from '../peers/mail-source.ts';
import { type FollowedEmail, openFollowers } from '../peers/followers.ts';
import { scriptedModel } from '../peers/model.ts';
import { openProvider } from '../peers/provider.ts';
import { openChanges } from '../pods/changes.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Promises, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { createNetwork, type Network } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import type { World } from '../world/world.ts';

const SERVICES = { 'mailbox-write': openMailboxWrite, changes: openChanges };
const EMAIL = { workspaceId: 1, isRead: 1, isStarred: 1, folderType: 1, labelIds: 1 } as const;

interface Outcome extends Followed {
  changing: readonly Changing[];
  deadLetters: readonly { topic: string; cause: string }[];
}

const promises: Promises<Outcome> = {
  'everything that is to happen happens': ({ changing }) =>
    changing.flatMap(({ mail, isDone }) => (isDone ? [] : [`"${mail.subject}" is not changed to the end`])),
  'no event is given up': ({ deadLetters }) =>
    deadLetters.map(({ topic, cause }) => `a dead letter of ${topic}: ${cause}`),
  ...feedPromises,
};

/** The mails of one workspace, which people change at once and again. */
function bringMails(world: World, network: Network, workspaceId: string, count: number): Changing[] {
  const address = addressOf(workspaceId);
  const mails = drawMails(world.chance, workspaceId, count, false);
  const changing = drawChanging(world.chance, mails);
  const provider = openProvider(
    world,
    network,
    address,
    mails.flatMap(({ uid }) => uid ?? []),
  );
  const change = openChangingUsers(world, network, address, provider);
  const begun = new Set<string>();
  void openMailSource(world, network, address, mails, (mail, emailId) => {
    const [own] = changing.filter((one) => one.mail === mail);
    if (own && !begun.has(emailId)) change(own, emailId);
    begun.add(emailId);
  });
  return changing;
}

/** People and a provider change the emails of two workspaces, and clients follow the feed of each. */
export const feed: Workload = async (world, count) => {
  await storeSetting(world.database);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    stallBehindWrites(world);
    keepPods(world, SERVICES, { broker, network, modelOf: scriptedModel() });
    const changing = WORKSPACES.flatMap((id) => bringMails(world, network, id, Math.ceil(count / WORKSPACES.length)));
    const followers = openFollowers(world, network, WORKSPACES);
    return await playToEnd(world, endFaultsLater(world), promises, async () => ({
      changing,
      followers,
      broker,
      appearUnmarked: true,
      emails: await findAll<FollowedEmail>(world, 'emails', EMAIL),
      changes: await findAll<StoredChange>(world, 'changes', { workspaceId: 1, seq: 1 }),
      deadLetters: await findAll<{ topic: string; cause: string }>(world, 'deadLetters', { topic: 1, cause: 1 }),
    }));
  } finally {
    realTimers();
  }
};
