import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';

/** The services behind the gateway, as typed clients. */
export interface Services {
  workspace: Client<typeof WorkspaceServiceDefinition>;
  mailboxRead: Client<typeof MailboxReadServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  labelRule: Client<typeof LabelRuleServiceDefinition>;
  outboundSend: Client<typeof OutboundSendServiceDefinition>;
  viewFilter: Client<typeof ViewFilterServiceDefinition>;
  changes: Client<typeof ChangesServiceDefinition>;
  webhookDelivery: Client<typeof WebhookDeliveryServiceDefinition>;
}
