import { openClassifier } from '../pods/classifier.ts';
import { openForwarder } from '../pods/forwarder.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods } from '../pods/pods.ts';
import { openMailSource } from '../peers/mail-source.ts';
import { scriptedModel } from '../peers/model.ts';
import { openSending } from '../peers/outbound-send.ts';
import { createBroker } from '../world/broker.ts';
import type { FaultName } from '../world/faults.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { watchAttempts } from './attempts.ts';
import { promises, type StoredEmail } from './promises.ts';
import { addressOf, drawMails, storeSetting, WORKSPACES } from './setting.ts';
import { openWitness } from './witness.ts';

const SERVICES = { 'mailbox-write': openMailboxWrite, classifier: openClassifier, forwarder: openForwarder };
const SHOWN = {
  workspaceId: 1,
  threadId: 1,
  subject: 1,
  labelIds: 1,
  isUnsettled: 1,
  owedSince: 1,
  classifiedAt: 1,
  classification: 1,
} as const;

/** Faults behind which an email may be classified in a second attempt. */
const REPEATING: readonly FaultName[] = [
  'delays',
  'lostCalls',
  'lostAnswers',
  'refusedQueries',
  'lostQueryAnswers',
  'kills',
  'stalls',
  'modelFailures',
];

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
    keepPods(world, SERVICES, { broker, network, modelOf: scriptedModel(onAsked) });
    const sent = openSending(world, network);
    const emailIds = new Map<string, string>();
    let coming: number = WORKSPACES.length;
    const mails = WORKSPACES.flatMap((workspaceId, n) => {
      const some = drawMails(world.chance, workspaceId, Math.ceil(count / 2), n === 0 && faults.isOn('poison'));
      void openMailSource(world, network, addressOf(workspaceId), some, ({ messageId }, id) =>
        emailIds.set(messageId, id),
      ).then(() => (coming -= 1));
      return some;
    });
    const calmAt = Math.max(endFaultsLater(world), sent.thereFrom);
    return await playToEnd(world, calmAt, promises, async () =>
      coming > 0
        ? undefined
        : {
            mails,
            emailIds,
            emails: await findAll<StoredEmail>(world, 'emails', SHOWN),
            deadLetters: await findAll<{ topic: string; cause: string }>(world, 'deadLetters', { topic: 1, cause: 1 }),
            witness,
            asked,
            hasRepeats: REPEATING.some((name) => name in faults.counts()),
            attempts,
            isDatabaseSound: !faults.isOn('refusedQueries') && !faults.isOn('lostQueryAnswers'),
            sent,
            broker,
            calmAt,
          },
    );
  } finally {
    realTimers();
  }
};
