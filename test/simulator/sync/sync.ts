import { addressOf, WORKSPACES } from '../arriving/setting.ts';
import type { StoredChange } from '../followed.ts';
import { openImapMailbox } from '../peers/imap.ts';
import { openFollowers } from '../peers/followers.ts';
import { scriptedModel } from '../peers/model.ts';
import { drawHappenings, oldMail, openPeople } from '../peers/people.ts';
import { serveMailboxAccess } from '../peers/workspace.ts';
import { openChanges } from '../pods/changes.ts';
import { openMailboxSync } from '../pods/mailbox-sync.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import { watchLeaseHolders } from './lease-holders.ts';
import { promises, type StoredEmail } from './promises.ts';
import { storeMailboxes } from './setting.ts';
import { watchStored } from './witness.ts';

const SHOWN = {
  workspaceId: 1,
  mailboxId: 1,
  subject: 1,
  folderId: 1,
  folderType: 1,
  isRead: 1,
  isStarred: 1,
  labelIds: 1,
  owedSince: 1,
  providerChangesSince: 1,
  gone: 1,
} as const;

/** Two mailboxes at a provider, whose messages other clients and callers of the API move, mark and remove. */
export const sync: Workload = async (world, count) => {
  await storeMailboxes(world.database);
  const storedBefore = watchStored(world);
  const heldTwice = watchLeaseHolders(world);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    serveMailboxAccess(world, network);
    const played = WORKSPACES.map((workspaceId) => {
      const address = addressOf(workspaceId);
      const mailbox = openImapMailbox(world);
      const happenings = drawHappenings(world, address, Math.ceil(count / WORKSPACES.length));
      if (mailbox.closed) happenings.push(oldMail(address, mailbox.closed.path));
      openPeople(world, network, { ...address, mailbox }, happenings);
      return { mailboxId: address.mailboxId, mailbox, happenings };
    });
    const mailboxSync = openMailboxSync((pod, mailboxId) => {
      const found = played.find((one) => one.mailboxId === mailboxId);
      if (!found) throw new Error(`no mailbox ${mailboxId}`);
      return found.mailbox.connect(pod);
    });
    const services = { 'mailbox-write': openMailboxWrite, 'mailbox-sync': mailboxSync, changes: openChanges };
    keepPods(world, services, { broker, network, modelOf: scriptedModel() });
    const followers = openFollowers(world, network, WORKSPACES);
    return await playToEnd(world, endFaultsLater(world), promises, async () => ({
      played,
      emails: await findAll<StoredEmail>(world, 'emails', SHOWN),
      changes: await findAll<StoredChange>(world, 'changes', { workspaceId: 1, seq: 1 }),
      followers,
      appearUnmarked: false,
      storedBefore,
      heldTwice,
      broker,
    }));
  } finally {
    realTimers();
  }
};
