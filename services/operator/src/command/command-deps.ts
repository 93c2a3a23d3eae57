import type { DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import type {
  IdentityOperatorServiceDefinition,
  IdentityServiceDefinition,
} from '@postroom/proto/postroom/v1/identity';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import type {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import type { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';

/** The command is right, but something that it needs is missing. The message says what to do. */
export class CommandRefusal extends Error {}

/** The dependencies of commands. A connection is opened when a command asks for it. */
export interface CommandDeps {
  context: ServiceContext;
  workspaces(): Client<WorkspaceOperatorServiceDefinition>;
  mailboxWrite(): Client<MailboxWriteServiceDefinition>;
  mailboxWriteOperators(): Client<MailboxWriteOperatorServiceDefinition>;
  labelRule(): Client<LabelRuleServiceDefinition>;
  sends(): Client<OutboundSendOperatorServiceDefinition>;
  mailboxSync(): Client<MailboxSyncServiceDefinition>;
  outboundSend(): Client<OutboundSendServiceDefinition>;
  webhookDelivery(): Client<WebhookDeliveryServiceDefinition>;
  identity(): Client<IdentityServiceDefinition>;
  identityOperators(): Client<IdentityOperatorServiceDefinition>;
  /** The address of the app, with its path. */
  appUrl(): string;
  /** Nothing where webhooks are not delivered. */
  webhookOperators(): Client<WebhookOperatorServiceDefinition> | undefined;
  database(): { uri: string; tlsCa: string | undefined };
  deadLetters(): Client<DeadLetterServiceDefinition>;
  /** Resolves a path from the folder in which the command was typed. */
  path(typed: string): string;
  /** The REST API, and a key of it. */
  api(asked: { baseUrl: string | undefined; keyFile: string | undefined }): { baseUrl: string; key: string };
  stdin: NodeJS.ReadableStream;
  /** Standard output, for a command whose result comes piece by piece. */
  output: NodeJS.WritableStream;
  /** The stream for progress. Standard output holds the result alone. */
  progress: NodeJS.WriteStream;
  json: boolean;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** The streams of the terminal, and its interruption. */
export type TerminalIo = Pick<CommandDeps, 'stdin' | 'output' | 'progress' | 'json' | 'signal'>;
