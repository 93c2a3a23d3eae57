import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Actor } from '@postroom/rpc/actor';
import { connect } from '@postroom/rpc/connect';
import type { GenericDefinition } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { CommandRefusal, type CommandDeps, type TerminalIo } from './command/command-deps.ts';
import type { CommandConfig } from './config.ts';

/** A command line says nothing about the person who types. */
const OPERATOR: Actor = { kind: 'operator', id: 'operator', name: 'Operator', address: '' };

export function createDeps(config: CommandConfig, context: ServiceContext, io: TerminalIo): CommandDeps {
  return {
    ...io,
    ...peersOf(config, context),
    context,
    database: () => given(config.database, 'the database', 'MONGODB_URI'),
    bus: () => config.bus,
    path: (typed) => resolve(config.directory, typed),
    api: ({ baseUrl, keyFile }) => ({
      baseUrl: given(baseUrl ?? config.api.baseUrl, 'the address of the API', '--url or POSTROOM_URL'),
      key: keyFile === undefined ? keyIn(config.api.key) : keyIn(readKey(resolve(config.directory, keyFile))),
    }),
  };
}

/** It is checked here, so that a wrong file is told apart from a key that the API does not know. */
function keyIn(text: string | undefined): string {
  if (text === undefined)
    throw new CommandRefusal('an API key is missing: name its file with --api-key-file, or set POSTROOM_API_KEY');
  if (/^mk_[A-Za-z0-9]{40}$/.test(text)) return text;
  throw new CommandRefusal(
    'this is no API key: it must be mk_ and 40 letters and digits, and nothing else in its file',
  );
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandRefusal(`--api-key-file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function peersOf(config: CommandConfig, context: ServiceContext) {
  const behindToken = <D extends GenericDefinition>(definition: D, address: string) => {
    const token = given(config.operatorToken, 'the token of operators', 'OPERATOR_TOKEN');
    return connect(definition, address, { context, token, actor: OPERATOR });
  };
  return {
    workspaces: () => {
      const what = "operators' address of the workspace service";
      const address = given(config.workspace, what, 'WORKSPACE_OPERATOR_ADDR');
      return behindToken(WorkspaceOperatorServiceDefinition, address);
    },
    deadLetters: () => {
      const address = given(config.workspace, "operators' address of the workspace service", 'WORKSPACE_OPERATOR_ADDR');
      return behindToken(DeadLetterServiceDefinition, address);
    },
    mailboxWriteOperators: () => {
      const what = "operators' address of the mailbox-write service";
      const address = given(config.mailboxWriteOperators, what, 'MAILBOX_WRITE_OPERATOR_ADDR');
      return behindToken(MailboxWriteOperatorServiceDefinition, address);
    },
    sends: () => {
      const what = "operators' address of the outbound-send service";
      const address = given(config.sends, what, 'OUTBOUND_SEND_OPERATOR_ADDR');
      return behindToken(OutboundSendOperatorServiceDefinition, address);
    },
    webhookOperators: () =>
      config.webhookOperators === undefined
        ? undefined
        : behindToken(WebhookOperatorServiceDefinition, config.webhookOperators),
    mailboxWrite: () => {
      const address = given(config.mailboxWrite, 'the address of the mailbox-write service', 'MAILBOX_WRITE_ADDR');
      return connect(MailboxWriteServiceDefinition, address, { context, actor: OPERATOR });
    },
    labelRule: () => {
      const address = given(config.labelRule, 'the address of the label-rule service', 'LABEL_RULE_ADDR');
      return connect(LabelRuleServiceDefinition, address, { context, actor: OPERATOR });
    },
    mailboxSync: () => {
      const address = given(config.mailboxSync, 'the address of the mailbox-sync service', 'MAILBOX_SYNC_ADDR');
      return connect(MailboxSyncServiceDefinition, address, { context, actor: OPERATOR });
    },
    outboundSend: () => {
      const address = given(config.outboundSend, 'the address of the outbound-send service', 'OUTBOUND_SEND_ADDR');
      return connect(OutboundSendServiceDefinition, address, { context, actor: OPERATOR });
    },
    webhookDelivery: () => {
      const what = 'the address of the webhook-delivery service';
      const address = given(config.webhookDelivery, what, 'WEBHOOK_DELIVERY_ADDR');
      return connect(WebhookDeliveryServiceDefinition, address, { context, actor: OPERATOR });
    },
  };
}

function given<T>(value: T | undefined, what: string, variable: string): T {
  if (value !== undefined) return value;
  throw new CommandRefusal(`${what} is not known: run "npm start" in this folder first, or set ${variable}`);
}
