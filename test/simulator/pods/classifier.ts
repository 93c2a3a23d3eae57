import { consumeEvents } from '@postroom/events/consume-events';
import { collectionsOf } from '@postroom/mail-store/access';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { createRunnableBackfillStore } from '../../../services/classifier/src/backfill/backfill-store.ts';
import { createBackfillPoll } from '../../../services/classifier/src/backfill/poll.ts';
import { currentRules } from '../../../services/classifier/src/classify/current-rules.ts';
import { createCompiledConditions } from '../../../services/classifier/src/compiled-conditions/compiled-conditions.ts';
import { createPatternStore } from '../../../services/classifier/src/compiled-conditions/pattern-store.ts';
import { createCorrespondence } from '../../../services/classifier/src/correspondence/correspondence.ts';
import { createCorrespondenceStore } from '../../../services/classifier/src/correspondence/correspondence-store.ts';
import { createOwnerStore } from '../../../services/classifier/src/correspondence/owner-store.ts';
import { createKeptAnswersStore } from '../../../services/classifier/src/classify/kept-answers-store.ts';
import { createClassifiedEmailStore } from '../../../services/classifier/src/classify/mail-store.ts';
import { createRuleStore } from '../../../services/classifier/src/classify/rule-store.ts';
import { conversationOf, createOnEmailReceived } from '../../../services/classifier/src/pending/on-email-received.ts';
import { createUnclassifiedStore } from '../../../services/classifier/src/pending/pending-store.ts';
import { pollPending } from '../../../services/classifier/src/pending/poll.ts';
import { createWorker } from '../../../services/classifier/src/pending/worker.ts';
import { simulatedCollections } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { OpenPod, Surroundings } from './pods.ts';

const AT_ONCE = 8;

/** As its service.ts opens it, with the scripted model, and without backfills. */
export const openClassifier: OpenPod = (pod, surroundings) => open(pod, surroundings, false);

/** The same with backfills, whose poll would cost each run of other workloads time. */
export const openBackfillingClassifier: OpenPod = (pod, surroundings) => open(pod, surroundings, true);

async function open(pod: Process, surroundings: Surroundings, hasBackfills: boolean): Promise<void> {
  const { broker, network } = surroundings;
  const { context } = pod;
  const collections = collectionsOf(simulatedCollections(), 'classifier');
  const deadLetters = createDeadLetterStore(collections);
  const deps = depsOf(pod, surroundings);
  const worker = createWorker(deps, AT_ONCE);
  await consumeEvents(broker.busOf(pod), context, {
    group: 'classifier',
    type: 'email.received',
    deadLetters,
    concurrency: AT_ONCE,
    orderBy: conversationOf,
    handle: createOnEmailReceived({ ...deps, worker }),
  });
  pollPending({ ...deps, worker });
  if (!hasBackfills) return;
  const jobs = createRunnableBackfillStore(collections);
  const labelRule = network.connect(LabelRuleServiceDefinition, pod);
  const backfills = createBackfillPoll({ ...deps, classifyDeps: deps, jobs, labelRule, worker });
  backfills.start();
  await consumeEvents(broker.busOf(pod), context, {
    group: 'classifier',
    type: 'backfill.requested',
    deadLetters,
    concurrency: 1,
    handle: async () => backfills.wake(),
  });
}

function depsOf(pod: Process, { network, modelOf }: Surroundings) {
  const { clock, log } = pod.context;
  const collections = collectionsOf(simulatedCollections(), 'classifier');
  const rules = createRuleStore(collections);
  const owners = createOwnerStore(collections);
  return {
    mail: createClassifiedEmailStore(collections),
    correspondence: createCorrespondence(createCorrespondenceStore(collections), owners, clock),
    pending: createUnclassifiedStore(collections),
    rulesOf: currentRules(rules),
    livingRules: rules.living,
    answers: createKeptAnswersStore(collections),
    compiled: createCompiledConditions(createPatternStore(collections), clock),
    model: modelOf(pod),
    modelUse: { of: () => () => undefined },
    mailboxWrite: network.connect(MailboxWriteServiceDefinition, pod),
    outboundSend: network.connect(OutboundSendServiceDefinition, pod),
    clock,
    log,
    failures: { add: () => undefined },
  };
}
