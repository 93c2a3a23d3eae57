import { busOptions } from '@postroom/events/bus-fields';
import { consumeEvents } from '@postroom/events/consume-events';
import { openBus } from '@postroom/events/open-bus';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createMailStore } from './mail-store.ts';
import { createOnEmailClassified } from './on-email-classified.ts';

export const service = defineService({
  name: 'forwarder',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('forwarder', storeSettings(settings), context);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    await consumeEvents(bus, context, {
      group: 'forwarder',
      type: 'email.classified',
      concurrency: settings.FORWARD_CONCURRENCY,
      // Rules of one email run in their order; emails do not wait for each other, whichever came first. An event that was
      // overtaken changes nothing: an email is told of once, and looked at as it stands when its turn comes.
      orderBy: ({ data }) => data.emailId,
      handle: createOnEmailClassified({
        mail: createMailStore(collections),
        labelRule: connect(LabelRuleServiceDefinition, settings.LABEL_RULE_ADDR, { context }),
        skipped: context.metrics.counter('postroom_forwards_skipped_total', 'Forwards that were not made, by reason'),
        outboundSend: connect(OutboundSendServiceDefinition, settings.OUTBOUND_SEND_ADDR, { context }),
      }),
    });
    return {};
  },
});
