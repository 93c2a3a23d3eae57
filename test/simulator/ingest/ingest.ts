import { addressOf, storeSetting, WORKSPACES } from '../arriving/setting.ts';
import { openMailSource } from '../peers/mail-source.ts';
import { scriptedModel } from '../peers/model.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import { drawMessages, drawSources } from './messages.ts';
import { promises, type StoredEmail } from './promises.ts';

const EMAIL = { subject: 1, threadId: 1, isUnsettled: 1, owedSince: 1 } as const;
/** So fast that both pods work on one thread at once, most of the time. */
const PACE = { mostAtOnce: 2, longestPauseMs: 60 };

/** Three sources bring the messages of one mailbox, in any order, and some messages come from each. */
export const ingest: Workload = async (world, count) => {
  await storeSetting(world.database);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    stallBehindWrites(world);
    keepPods(world, { 'mailbox-write': openMailboxWrite }, { broker, network, modelOf: scriptedModel() });
    const messages = drawMessages(world.chance, count);
    const told = new Map<string, string[]>();
    const sources = drawSources(world.chance, messages);
    let coming = sources.length;
    for (const mails of sources)
      void openMailSource(
        world,
        network,
        addressOf(WORKSPACES[0]),
        mails,
        ({ messageId }, emailId) => told.set(messageId, [...(told.get(messageId) ?? []), emailId]),
        PACE,
      ).then(() => (coming -= 1));
    return await playToEnd(world, endFaultsLater(world), promises, async () =>
      coming > 0
        ? undefined
        : {
            messages,
            told,
            emails: await findAll<StoredEmail>(world, 'emails', EMAIL),
            bodies: await findAll<{ _id: string }>(world, 'bodies', {}),
            broker,
          },
    );
  } finally {
    realTimers();
  }
};
