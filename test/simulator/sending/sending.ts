import {
  addressOf,
  forwardRuleIdOf,
  FORWARD_TO,
  replyRuleIdOf,
  storeSetting,
  WORKSPACES,
} from '../arriving/setting.ts';
import { drawAsked, openCallers, type Rules } from '../peers/callers.ts';
import { drawDrafts } from '../peers/drafts.ts';
import { scriptedModel } from '../peers/model.ts';
import { serveForwardLog } from '../peers/outbound-send.ts';
import { openPauses } from '../peers/pauses.ts';
import { storePerson } from '../peers/stoppers.ts';
import { moveToProvider } from '../peers/mail-program.ts';
import { openSmtp } from '../peers/smtp.ts';
import { openWriters } from '../peers/writers.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { openOutboundSend } from '../pods/outbound-send.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { createProcess } from '../world/process.ts';
import { createNetwork } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import { promises, type StoredBody, type StoredEmail, type StoredPermits, type StoredSend } from './promises.ts';
import { watchHolders } from './holders.ts';
import { watchSchedules } from './schedules.ts';
import { watchSaved, watchTrashed } from './draft-witness.ts';
import { openWitness } from './witness.ts';

const SEND = { workspaceId: 1, kind: 1, state: 1, messageId: 1, draftId: 1, lastError: 1, remainderOf: 1 } as const;
const EMAIL = {
  workspaceId: 1,
  subject: 1,
  messageId: 1,
  folderType: 1,
  isDraft: 1,
  scheduledStatus: 1,
  owedSince: 1,
} as const;

/** Its mailbox is at a provider, where mail programs edit drafts. */
const [, AT_PROVIDER] = WORKSPACES;
/** Of so many messages of both workspaces one more is a draft that several people work on. */
const OF_DRAFTS = 4;

const rulesOf = (workspaceId: string): Rules => ({
  replyRuleId: replyRuleIdOf(workspaceId, 'Prices'),
  forwardRuleId: forwardRuleIdOf(workspaceId, 'lunch'),
  forwardTo: FORWARD_TO,
});

/** People and rules of two workspaces send, reply and forward by one mail server. */
export const sending: Workload = async (world, count) => {
  await storeSetting(world.database);
  for (const workspaceId of WORKSPACES) await storePerson(world.database, workspaceId);
  await moveToProvider(world.database, addressOf(AT_PROVIDER));
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    const [witness, holders, shownLate] = [openWitness(world), watchHolders(world), watchSchedules(world)];
    const [trashed, saved] = [watchTrashed(world), watchSaved(world)];
    stallBehindWrites(world);
    const smtp = openSmtp(world);
    const services = { 'mailbox-write': openMailboxWrite, 'outbound-send': openOutboundSend(smtp.deliverOf) };
    keepPods(world, services, { broker, network, modelOf: scriptedModel() });
    serveForwardLog(network, createProcess(world, 'label-rule'));
    const pauses = world.faults.isOn('pauses')
      ? WORKSPACES.map((workspaceId) => openPauses(world, addressOf(workspaceId)))
      : [];
    const asked = WORKSPACES.flatMap((workspaceId) => {
      const [address, rules] = [addressOf(workspaceId), rulesOf(workspaceId)];
      const some = drawAsked(world, address, Math.ceil(count / WORKSPACES.length), rules);
      openCallers(world, network, address, rules, some);
      return some;
    });
    const drafts = WORKSPACES.flatMap((workspaceId) => {
      const address = addressOf(workspaceId);
      const isAtProvider = workspaceId === AT_PROVIDER;
      const some = drawDrafts(world, { ...address, isAtProvider }, Math.ceil(count / OF_DRAFTS));
      openWriters(world, network, { address, ...rulesOf(workspaceId) }, some);
      return some;
    });
    return await playToEnd(world, endFaultsLater(world), promises, async () => ({
      asked,
      drafts,
      pauses,
      trashed,
      saved,
      bodies: await findAll<StoredBody>(world, 'bodies', { text: 1 }),
      taken: smtp.taken,
      sends: await findAll<StoredSend>(world, 'sends', SEND),
      emails: await findAll<StoredEmail>(world, 'emails', EMAIL),
      permits: await findAll<StoredPermits>(world, 'sendPermits', { holders: 1 }),
      witness,
      holders,
      shownLate,
      isDatabaseSound: world.faults.isDatabaseSound(),
      broker,
    }));
  } finally {
    realTimers();
  }
};
