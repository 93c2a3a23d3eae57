import { consumeEvents } from '@postroom/events/consume-events';
import { createCountedAttempts } from '@postroom/events/counted-attempts';
import { collectionsOf } from '@postroom/mail-store/access';
import { createAttemptsStore } from '@postroom/mail-store/attempts-store';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { createForwards } from '../../../services/forwarder/src/forwards/forwards.ts';
import { createForwardDataStore } from '../../../services/forwarder/src/forwards/mail-store.ts';
import { createSweepStore } from '../../../services/forwarder/src/forwards/sweep-store.ts';
import { simulatedCollections } from '../world/database.ts';
import type { OpenPod } from './pods.ts';

const AT_ONCE = 8;

/** As its service.ts opens it. */
export const openForwarder: OpenPod = async (pod, { broker, network }) => {
  const { context } = pod;
  const collections = collectionsOf(simulatedCollections(), 'forwarder');
  const forwards = {
    attempts: createCountedAttempts(createAttemptsStore(collections.forwardAttempts, context.clock), context.log),
    mail: createForwardDataStore(collections),
    labelRule: network.connect(LabelRuleServiceDefinition, pod),
    outboundSend: network.connect(OutboundSendServiceDefinition, pod),
    skipped: { add: () => undefined },
  };
  const { onEmailClassified, startSweep } = createForwards(forwards, createSweepStore(collections), context);
  await consumeEvents(broker.busOf(pod), context, {
    group: 'forwarder',
    type: 'email.classified',
    deadLetters: createDeadLetterStore(collections),
    concurrency: AT_ONCE,
    orderBy: ({ data }) => data.emailId,
    handle: onEmailClassified,
  });
  startSweep();
};
