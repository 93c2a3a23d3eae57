import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Config } from './config.ts';

/** The services behind the gateway, as typed clients. */
export interface Services {
  workspace: Client<typeof WorkspaceServiceDefinition>;
  mailboxRead: Client<typeof MailboxReadServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  labelRule: Client<typeof LabelRuleServiceDefinition>;
  outboundSend: Client<typeof OutboundSendServiceDefinition>;
  viewFilter: Client<typeof ViewFilterServiceDefinition>;
}

export function connectServices(config: Config, context: ServiceContext): Services {
  return {
    workspace: connect(WorkspaceServiceDefinition, config.WORKSPACE_ADDR, { context }),
    mailboxRead: connect(MailboxReadServiceDefinition, config.MAILBOX_READ_ADDR, { context }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, config.MAILBOX_WRITE_ADDR, { context }),
    labelRule: connect(LabelRuleServiceDefinition, config.LABEL_RULE_ADDR, { context }),
    outboundSend: connect(OutboundSendServiceDefinition, config.OUTBOUND_SEND_ADDR, { context }),
    viewFilter: connect(ViewFilterServiceDefinition, config.VIEW_FILTER_ADDR, { context }),
  };
}
