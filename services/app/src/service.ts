import { join } from 'node:path';
import { ActivityServiceDefinition } from '@postroom/proto/postroom/v1/activity';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { ClassifierServiceDefinition } from '@postroom/proto/postroom/v1/classifier';
import { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { WorkspaceAppServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { changingToken } from '@postroom/rpc/token';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { config, type AppConfig } from './config.ts';
import { openApp } from './http/app.ts';
import { openBuiltPages } from './pages/pages.ts';
import { openAppRoutes, type AppServices } from './routes/table.ts';

export const service = defineService({
  name: 'app',
  config,
  async open(settings, context) {
    const { origin: appUrl, protocol } = new URL(settings.APP_URL);
    const folder = settings.APP_PAGES ?? join(__dirname, '../web/dist');
    const port = await openApp({
      routes: openAppRoutes(settings.FEATURES),
      host: settings.HOST,
      port: settings.HTTP_PORT,
      services: connectServices(settings, context),
      proxies: settings.TRUSTED_PROXIES,
      features: settings.FEATURES,
      appUrl,
      apiUrl: settings.API_URL ?? null,
      servePage: openBuiltPages({ folder, isSecure: protocol === 'https:', context }),
      context,
    });
    return { port };
  },
});

function connectServices(config: AppConfig, context: ServiceContext): AppServices {
  const { WEBHOOK_DELIVERY_ADDR: webhooks, CHANGES_ADDR: changes } = config;
  const token = changingToken('APP_TOKEN', config.APP_TOKEN, context);
  return {
    identity: connect(IdentityServiceDefinition, config.IDENTITY_ADDR, { context }),
    workspaces: connect(WorkspaceAppServiceDefinition, config.WORKSPACE_ADDR, { context, token }),
    activity: connect(ActivityServiceDefinition, config.WORKSPACE_ADDR, { context }),
    mailboxRead: connect(MailboxReadServiceDefinition, config.MAILBOX_READ_ADDR, { context }),
    mailboxSync: connect(MailboxSyncServiceDefinition, config.MAILBOX_SYNC_ADDR, { context }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, config.MAILBOX_WRITE_ADDR, { context }),
    outboundSend: connect(OutboundSendServiceDefinition, config.OUTBOUND_SEND_ADDR, { context }),
    labelRule: connect(LabelRuleServiceDefinition, config.LABEL_RULE_ADDR, { context }),
    classifier: connect(ClassifierServiceDefinition, config.CLASSIFIER_ADDR, { context }),
    webhookDelivery: webhooks ? connect(WebhookDeliveryServiceDefinition, webhooks, { context }) : undefined,
    changes: changes ? connect(ChangesServiceDefinition, changes, { context }) : undefined,
    viewFilter: connect(ViewFilterServiceDefinition, config.VIEW_FILTER_ADDR, { context }),
  };
}
