import { redisSettings } from '@postroom/limits/limiter-fields';
import { openLimiter } from '@postroom/limits/open-limiter';
import { createDayCountsStore } from '@postroom/mail-store/day-counts-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { config, type Config } from './config.ts';
import { openPublicPort } from './http/public-port.ts';
import { createIdempotencyStore } from './guard/idempotency-keys/idempotency-store.ts';
import { createKeys } from './keys/keys.ts';
import { createUsage } from './usage/usage.ts';
import { createLatestStore } from './usage/latest-store.ts';
import { createMonthFloorStore } from './limits/month-floor-store.ts';
import type { Services } from './routes/table.ts';

export const service = defineService({
  name: 'gateway',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('gateway', storeSettings(settings), context);
    const limiter = await openLimiter({
      redis: redisSettings(settings),
      floors: createMonthFloorStore(collections),
      context,
    });
    context.lifecycle.add('limiter', () => limiter.close());
    const usage = createUsage(
      { ...createLatestStore(collections), calls: createDayCountsStore(collections.callCounts) },
      settings.USAGE_FLUSH,
      context,
    );
    context.lifecycle.add('usage', () => usage.close());
    const services = connectServices(settings, context);
    const { clock, log } = context;
    const identity = connect(IdentityServiceDefinition, settings.IDENTITY_ADDR, { context });
    const keys = createKeys({ workspace: services.workspace, identity, mcpUrl: settings.MCP_URL, clock, log });
    const idempotency = createIdempotencyStore(collections);
    return { port: await openPublicPort(settings, { keys, limiter, usage, idempotency, services }, context) };
  },
});

function connectServices(config: Config, context: ServiceContext): Services {
  return {
    workspace: connect(WorkspaceServiceDefinition, config.WORKSPACE_ADDR, { context }),
    mailboxRead: connect(MailboxReadServiceDefinition, config.MAILBOX_READ_ADDR, { context }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, config.MAILBOX_WRITE_ADDR, { context }),
    labelRule: connect(LabelRuleServiceDefinition, config.LABEL_RULE_ADDR, { context }),
    outboundSend: connect(OutboundSendServiceDefinition, config.OUTBOUND_SEND_ADDR, { context }),
    viewFilter: connect(ViewFilterServiceDefinition, config.VIEW_FILTER_ADDR, { context }),
    changes: connect(ChangesServiceDefinition, config.CHANGES_ADDR, { context }),
    webhookDelivery: connect(WebhookDeliveryServiceDefinition, config.WEBHOOK_DELIVERY_ADDR, { context }),
  };
}
