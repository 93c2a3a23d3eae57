import { busOptions } from '@postroom/events/bus-fields';
import { consumeEvents } from '@postroom/events/consume-events';
import { createCountedAttempts } from '@postroom/events/counted-attempts';
import { openBus } from '@postroom/events/open-bus';
import { createAttemptsStore } from '@postroom/mail-store/attempts-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createForwards } from './forwards/forwards.ts';
import { createForwardDataStore } from './forwards/mail-store.ts';
import { createSweepStore } from './forwards/sweep-store.ts';

export const service = defineService({
  name: 'forwarder',
  config,
  consumes: ['email.classified'],
  async open(settings, context) {
    const { collections } = await openMailStoreFor('forwarder', storeSettings(settings), context);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    const attemptsStore = createAttemptsStore(collections.forwardAttempts, context.clock);
    const forwards = {
      attempts: createCountedAttempts(attemptsStore, context.log),
      mail: createForwardDataStore(collections),
      labelRule: connect(LabelRuleServiceDefinition, settings.LABEL_RULE_ADDR, { context }),
      skipped: context.metrics.counter('postroom_forwards_skipped_total', 'Forwards that were not made, by reason'),
      outboundSend: connect(OutboundSendServiceDefinition, settings.OUTBOUND_SEND_ADDR, { context }),
    };
    const { onEmailClassified, startSweep } = createForwards(forwards, createSweepStore(collections), context);
    await consumeEvents(bus, context, {
      group: 'forwarder',
      type: 'email.classified',
      deadLetters: createDeadLetterStore(collections),
      concurrency: settings.FORWARD_CONCURRENCY,
      // The rules of one email run in their order. Emails do not wait for each other: an event that is overtaken changes
      // nothing, because each email has one event and is read when the event is handled.
      orderBy: ({ data }) => data.emailId,
      handle: onEmailClassified,
    });
    // The sweep ends before the consumer does.
    context.lifecycle.add('sweep for forwards', startSweep().close);
    return {};
  },
});
