import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { addressOf, drawMails, storeSetting, WORKSPACES } from '../arriving/setting.ts';
import { openMailSource } from '../peers/mail-source.ts';
import { scriptedModel } from '../peers/model.ts';
import { openSending } from '../peers/outbound-send.ts';
import { untilDone } from '../peers/told.ts';
import { drawFates, openUndoers } from '../peers/undoers.ts';
import { openBackfillingClassifier } from '../pods/classifier.ts';
import { openLabelRule } from '../pods/label-rule.ts';
import { openMailboxWrite } from '../pods/mailbox-write.ts';
import { keepPods, stallBehindWrites } from '../pods/pods.ts';
import { endFaultsLater, findAll, playToEnd, type Workload } from '../workload.ts';
import { createBroker } from '../world/broker.ts';
import { type FaultName, REPEATING } from '../world/faults.ts';
import { createProcess, within } from '../world/process.ts';
import { createNetwork, type Network } from '../world/rpc.ts';
import { useVirtualTimers } from '../world/virtual-timers.ts';
import type { World } from '../world/world.ts';
import { promises, type StoredEmail, type StoredJob } from './promises.ts';

const SERVICES = {
  'mailbox-write': openMailboxWrite,
  classifier: openBackfillingClassifier,
  'label-rule': openLabelRule,
};
const EMAIL = { workspaceId: 1, subject: 1, labelIds: 1, folderType: 1, undoneEffects: 1, owedSince: 1 } as const;
const JOB = { workspaceId: 1, state: 1, done: 1, total: 1, cause: 1, skipped: 1 } as const;
const PACE = { mostAtOnce: 8, longestPauseMs: 200 };
const MOST_CALLS = 3;
const BETWEEN_CALLS_MS = 9_000;
const MOST_EMAILS = 500;

/** Behind these an email may be asked about again. */
const ASKING_AGAIN: readonly FaultName[] = [...REPEATING, 'slowModel', 'modelFailures'];

/** Old mails of a workspace. Once all of them are stored, their owner asks for a backfill, and perhaps for others. */
function openOwner(world: World, network: Network, workspaceId: string, count: number) {
  const address = addressOf(workspaceId);
  const process = createProcess(world, `owner of ${workspaceId}`);
  const labelRule = network.connect(LabelRuleServiceDefinition, process);
  const mails = drawMails(world.chance, workspaceId, count, false).map((mail) => ({ ...mail, isHistory: true }));
  const fates = drawFates(world.chance, mails);
  const begin = openUndoers(world, network, address);
  const owner = { workspaceId, fates, calls: world.chance.between(1, MOST_CALLS), answered: 0 };
  const onStored = (mail: { subject: string }, emailId: string) => {
    const [fated] = fates.filter((one) => one.mail.subject === mail.subject);
    if (fated && fated.emailId === undefined) begin(fated, emailId);
  };
  const ask = async (): Promise<void> => {
    const { mailboxId } = address;
    for (; owner.answered < owner.calls; owner.answered += 1) {
      const call = { workspaceId, operationId: `backfill ${owner.answered} of ${workspaceId}` };
      await untilDone(process, () => labelRule.backfillAiLabels({ limit: MOST_EMAILS, mailboxId }, call));
      await process.context.clock.sleep(world.chance.below(BETWEEN_CALLS_MS));
    }
  };
  void openMailSource(world, network, address, mails, onStored, PACE).then(() =>
    world.after(0, process, () => void within(process, ask)),
  );
  return owner;
}

/** Rules are applied to mail that was there before them, while people throw it away, take labels off and undo effects. */
export const rules: Workload = async (world, count) => {
  await storeSetting(world.database);
  const [broker, network] = [createBroker(world), createNetwork()];
  const realTimers = useVirtualTimers(world.scheduler);
  try {
    const asked = new Map<string, number>();
    const onAsked = (question: string) => void asked.set(question, (asked.get(question) ?? 0) + 1);
    stallBehindWrites(world);
    keepPods(world, SERVICES, { broker, network, modelOf: scriptedModel(onAsked) });
    network.serve<ViewFilterServiceDefinition>(ViewFilterServiceDefinition, createProcess(world, 'view-filter'), {});
    const sent = openSending(world, network);
    const owners = WORKSPACES.map((id) => openOwner(world, network, id, Math.ceil(count / WORKSPACES.length)));
    const calmAt = Math.max(endFaultsLater(world), sent.thereFrom);
    return await playToEnd(world, calmAt, promises, async () => ({
      owners,
      emails: await findAll<StoredEmail>(world, 'emails', EMAIL),
      jobs: await findAll<StoredJob>(world, 'backfillJobs', JOB),
      deadLetters: await findAll<{ topic: string; cause: string }>(world, 'deadLetters', { topic: 1, cause: 1 }),
      asked,
      sent,
      broker,
      isModelWhole: !world.faults.isOn('modelFailures'),
      hasRepeats: world.faults.isOn('fullDisk') || ASKING_AGAIN.some((name) => name in world.faults.counts()),
    }));
  } finally {
    realTimers();
  }
};
