import { consumeEvents } from '@postroom/events/consume-events';
import { collectionsOf } from '@postroom/mail-store/access';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
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
import type { OpenPod } from './pods.ts';

const AT_ONCE = 8;

/** As its service.ts opens it, without backfills, and with the scripted model. */
export const openClassifier: OpenPod = async (pod, { broker, network, modelOf }) => {
  const { context } = pod;
  const { clock, log } = context;
  const collections = collectionsOf(simulatedCollections(), 'classifier');
  const pending = createUnclassifiedStore(collections);
  const rules = createRuleStore(collections);
  const rulesOf = currentRules(rules);
  const model = modelOf(pod);
  const owners = createOwnerStore(collections);
  const worker = createWorker(
    {
      mail: createClassifiedEmailStore(collections),
      correspondence: createCorrespondence(createCorrespondenceStore(collections), owners, clock),
      pending,
      rulesOf,
      livingRules: rules.living,
      answers: createKeptAnswersStore(collections),
      compiled: createCompiledConditions(createPatternStore(collections), clock),
      model,
      modelUse: { of: () => () => undefined },
      mailboxWrite: network.connect(MailboxWriteServiceDefinition, pod),
      outboundSend: network.connect(OutboundSendServiceDefinition, pod),
      clock,
      log,
      failures: { add: () => undefined },
    },
    AT_ONCE,
  );
  await consumeEvents(broker.busOf(pod), context, {
    group: 'classifier',
    type: 'email.received',
    deadLetters: createDeadLetterStore(collections),
    concurrency: AT_ONCE,
    orderBy: conversationOf,
    handle: createOnEmailReceived({ worker, model, rulesOf }),
  });
  pollPending({ pending, worker, model, rulesOf, clock, log });
};
