import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { DirectoryStore } from './directory-store.ts';
import type { ReplyStore } from './reply-store.ts';
import type { SendStore } from './send-store.ts';
import type { Sender } from './sending/sender.ts';

export type Rpcs = Handlers<OutboundSendServiceDefinition>;
export type OperatorRpcs = Handlers<OutboundSendOperatorServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sends: SendStore;
  directory: DirectoryStore;
  replies: Pick<ReplyStore, 'standing' | 'countAround'>;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchRaw' | 'fetchBody'>;
  labelRule: Pick<Client<LabelRuleServiceDefinition>, 'recordForward'>;
  sender: Pick<Sender, 'permitWithin' | 'begin' | 'wake'>;
  leaseMs: number;
}
