import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import { IdentityOperatorServiceDefinition, IdentityServiceDefinition } from '@postroom/proto/postroom/v1/identity';
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
    appUrl: () => given(config.appUrl, 'the address of the app', 'APP_URL'),
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
  const peer =
    <D extends GenericDefinition>(definition: D, name: string, address: string | undefined) =>
    () =>
      connect(definition, given(address, `the address of the ${name} service`, `${variableOf(name)}_ADDR`), {
        context,
      });
  const operated =
    <D extends GenericDefinition>(definition: D, name: string, address: string | undefined) =>
    () => {
      const found = given(address, `operators' address of the ${name} service`, `${variableOf(name)}_OPERATOR_ADDR`);
      const token = given(config.operatorToken, 'the token of operators', 'OPERATOR_TOKEN');
      return connect(definition, found, { context, token, actor: OPERATOR });
    };
  const { webhookOperators } = config;
  return {
    workspaces: operated(WorkspaceOperatorServiceDefinition, 'workspace', config.workspace),
    deadLetters: operated(DeadLetterServiceDefinition, 'workspace', config.workspace),
    mailboxWriteOperators: operated(
      MailboxWriteOperatorServiceDefinition,
      'mailbox-write',
      config.mailboxWriteOperators,
    ),
    sends: operated(OutboundSendOperatorServiceDefinition, 'outbound-send', config.sends),
    identityOperators: operated(IdentityOperatorServiceDefinition, 'identity', config.identityOperators),
    webhookOperators: () =>
      webhookOperators === undefined
        ? undefined
        : operated(WebhookOperatorServiceDefinition, 'webhook-delivery', webhookOperators)(),
    mailboxWrite: peer(MailboxWriteServiceDefinition, 'mailbox-write', config.mailboxWrite),
    labelRule: peer(LabelRuleServiceDefinition, 'label-rule', config.labelRule),
    mailboxSync: peer(MailboxSyncServiceDefinition, 'mailbox-sync', config.mailboxSync),
    outboundSend: peer(OutboundSendServiceDefinition, 'outbound-send', config.outboundSend),
    webhookDelivery: peer(WebhookDeliveryServiceDefinition, 'webhook-delivery', config.webhookDelivery),
    identity: peer(IdentityServiceDefinition, 'identity', config.identity),
  };
}

const variableOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

function given<T>(value: T | undefined, what: string, variable: string): T {
  if (value !== undefined) return value;
  throw new CommandRefusal(`${what} is not known: run "npm start" in this folder first, or set ${variable}`);
}
