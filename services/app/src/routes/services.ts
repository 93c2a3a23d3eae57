import type { ActivityServiceDefinition } from '@postroom/proto/postroom/v1/activity';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { ClassifierServiceDefinition } from '@postroom/proto/postroom/v1/classifier';
import type { IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { WorkspaceAppServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';

/** The changes that people make to emails. The other calls of the service are for services. */
type Triage =
  'updateEmail' | 'bulkMarkRead' | 'bulkDelete' | 'bulkApplyLabel' | 'bulkRemoveLabel' | 'undoEffect' | 'discardDraft';

/** The services behind the app, as typed clients. */
export interface AppServices {
  identity: Client<typeof IdentityServiceDefinition>;
  /** Its calls name their workspace: it is that of the path, of which the caller is a member. */
  workspaces: Client<typeof WorkspaceAppServiceDefinition>;
  activity: Client<typeof ActivityServiceDefinition>;
  mailboxRead: Client<typeof MailboxReadServiceDefinition>;
  mailboxSync: Client<typeof MailboxSyncServiceDefinition>;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, Triage>;
  outboundSend: Client<typeof OutboundSendServiceDefinition>;
  labelRule: Client<typeof LabelRuleServiceDefinition>;
  classifier: Client<typeof ClassifierServiceDefinition>;
  viewFilter: Client<typeof ViewFilterServiceDefinition>;
  /** Absent where changes are closed. */
  changes?: Client<typeof ChangesServiceDefinition> | undefined;
  /** Absent where webhooks are closed. */
  webhookDelivery?: Client<typeof WebhookDeliveryServiceDefinition> | undefined;
}
