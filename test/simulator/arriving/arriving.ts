import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { openClassifier } from '../pods/classifier.ts';
import { openForwarder } from '../pods/forwarder.ts';
import { openLabelRule } from '../pods/label-rule.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { type Mail, openMailSource } from '../peers/mail-source.ts';
import { openMailboxUsers } from '../peers/mailbox-users.ts';
import { scriptedModel } from '../peers/model.ts';
import { openOperator } from '../peers/operator.ts';
import { openSending } from '../peers/outbound-send.ts';
import { openProvider } from '../peers/provider.ts';
import { openRuleOwners } from '../peers/rule-owners.ts';
import { createBroker } from '../world/broker.ts';
import { type FaultName, REPEATING } from '../world/faults.ts';
import { createProcess, type Process } from '../world/process.ts';
import { createNetwork, type Network } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import type { World } from '../world/world.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { watchAttempts } from './attempts.ts';
import { drawHappenings, type Happening } from './happenings.ts';
import { promises, type Remains, type StoredEmail } from './promises.ts';
import { drawRuleChanges } from './rule-changes.ts';
import { addressOf, drawMails, storeSetting, WORKSPACES } from './setting.ts';
import { openWitness } from './witness.ts';

const SERVICES = {
  'mailbox-write': openMailboxWrite,
  classifier: openClassifier,
  forwarder: openForwarder,
  'label-rule': openLabelRule,
};
const SHOWN = {
  workspaceId: 1,
  threadId: 1,
  subject: 1,
  labelIds: 1,
  folderType: 1,
  isRead: 1,
  isUnsettled: 1,
  owedSince: 1,
  classifiedAt: 1,
  classification: 1,
} as const;

/** They have parts of emails. Of removed emails, the pending events alone count. */
const BESIDE = ['bodies', 'classifications', 'removedEmails'] as const;

/** Faults behind which an email may be classified in a second attempt. */
const ASKING_AGAIN: readonly FaultName[] = [...REPEATING, 'modelFailures'];

/** The mails of each workspace, and what people do with them once they are stored. */
function bringMails(world: World, network: Network, count: number) {
  const emailIds = new Map<string, string>();
  let coming: number = WORKSPACES.length;
  const happenings: Happening[] = [];
  const mails = WORKSPACES.flatMap((workspaceId, n) => {
    const address = addressOf(workspaceId);
    const some = drawMails(world.chance, workspaceId, Math.ceil(count / 2), n === 0 && world.faults.isOn('poison'));
    const own = drawHappenings(world.chance, some);
    happenings.push(...own);
    const uids = some.flatMap(({ uid }) => uid ?? []);
    const play = openMailboxUsers(world, network, address, openProvider(world, network, address, uids));
    const onStored = (mail: Mail, emailId: string) => {
      if (emailIds.has(mail.messageId)) return;
      emailIds.set(mail.messageId, emailId);
      for (const one of own.filter((happening) => happening.mail === mail)) play(one, emailId);
    };
    void openMailSource(world, network, address, some, onStored).then(() => (coming -= 1));
    return some;
  });
  return { mails, happenings, emailIds, isUnderWay: () => coming > 0 };
}

/** No inbox filter names a label. */
function serveNothing(network: Network, process: Process): void {
  network.serve<ViewFilterServiceDefinition>(ViewFilterServiceDefinition, process, {
    forgetLabel: async () => ({ deletedCount: 0 }),
  });
}

/** The ids of emails that other collections name. */
async function remainsOf(world: World): Promise<Remains[]> {
  const named = await Promise.all(
    BESIDE.map(async (collection) => {
      const documents = await findAll<{ _id: string; owedSince?: Date }>(world, collection, { _id: 1, owedSince: 1 });
      const wanted = documents.filter(({ owedSince }) => collection !== 'removedEmails' || owedSince !== undefined);
      return wanted.map(({ _id }) => ({ collection, emailId: _id }));
    }),
  );
  return named.flat();
}

/** Mail arrives in two workspaces, and is classified, answered and forwarded by rules. */
export const arriving: Workload = async (world, count) => {
  const { database, faults } = world;
  await storeSetting(database);
  const [witness, attempts] = [openWitness(world), watchAttempts(world)];
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    const asked = new Map<string, number>();
    const onAsked = (question: string) => void asked.set(question, (asked.get(question) ?? 0) + 1);
    stallBehindWrites(world);
    keepPods(world, SERVICES, {
      broker,
      network,
      modelOf: scriptedModel(onAsked, () => operator?.hasRemovedCause === true),
    });
    const operator = faults.isOn('poison') ? openOperator(world, network, WORKSPACES[0]) : undefined;
    const sent = openSending(world, network);
    serveNothing(network, createProcess(world, 'view-filter'));
    const come = bringMails(world, network, count);
    const changes = drawRuleChanges(world.chance);
    openRuleOwners(world, network, changes);
    const calmAt = Math.max(endFaultsLater(world), sent.thereFrom);
    return await playToEnd(world, calmAt, promises, async () =>
      come.isUnderWay()
        ? undefined
        : {
            ...come,
            changes,
            operator,
            remains: await remainsOf(world),
            emails: await findAll<StoredEmail>(world, 'emails', SHOWN),
            deadLetters: await findAll<{ topic: string; cause: string }>(world, 'deadLetters', { topic: 1, cause: 1 }),
            witness,
            asked,
            hasRepeats: faults.isOn('fullDisk') || ASKING_AGAIN.some((name) => name in faults.counts()),
            attempts,
            isDatabaseSound: faults.isDatabaseSound(),
            sent,
            broker,
            calmAt,
          },
    );
  } finally {
    realTimers();
  }
};
