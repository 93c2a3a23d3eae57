import { ActivityServiceDefinition } from '@postroom/proto/postroom/v1/activity';
import { DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import { busOptions } from '@postroom/events/bus-fields';
import { openBus } from '@postroom/events/open-bus';
import { createRelay } from '@postroom/events/outbox/relay';
import { createAuditStore } from '@postroom/mail-store/audit-store';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { storeSettings } from '@postroom/mail-store/store-fields';
import {
  MailboxAccessServiceDefinition,
  WorkspaceAppServiceDefinition,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import { type AuditTrail, audited } from '@postroom/rpc/audited';
import { implement, type Implementation, withToken } from '@postroom/rpc/definition';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { changingToken } from '@postroom/rpc/token';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { workspaceAppAudit, workspaceAudit } from './audit/audit.ts';
import { createAuditLogStore } from './activity/audit-log-store.ts';
import { config, type Config } from './config.ts';
import { createCredentialStore, createRenewalStore, createSealedStore } from './vault/credential-store.ts';
import { createConsentStore, openConsentClients } from './mailbox-consents/mailbox-consents.ts';
import { type DeadLetterDeps, deadLetterHandlers } from './dead-letters/dead-letters.ts';
import type { Deps } from './deps.ts';
import { createWorkspaceLookupStore } from './lookup/workspace-lookup-store.ts';
import {
  createAccessHandlers,
  createActivityHandlers,
  createAppHandlers,
  createHandlers,
  createOperatorHandlers,
} from './handlers.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createMailboxStore } from './mailboxes/mailbox-store.ts';
import { startSealing } from './sealing/sealing.ts';
import { exchangeCode, requestTokens } from './oauth/token-endpoint.ts';
import { createSignatureStore } from './signatures/signature-store.ts';
import { openVault } from './vault/vault.ts';
import { createUsageStore } from './usage/usage-store.ts';
import { createWorkspaceStore } from './workspaces/workspace-store.ts';

export const service = defineService({
  name: 'workspace',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('workspace', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const bus = await openBus({ ...busOptions(settings), context });
    context.lifecycle.add('bus', () => bus.close());
    const relay = createRelay({ store: createOutboxStore(collections.mailboxes, context), bus, context });
    context.lifecycle.add('relay', () => relay.close());
    const consentClients = openConsentClients(settings, context);
    const deps: Deps = {
      context,
      lookup: createWorkspaceLookupStore(collections),
      workspaces: createWorkspaceStore(collections),
      keys: createKeyStore(collections),
      mailboxes: createMailboxStore(collections),
      signatures: createSignatureStore(collections),
      usage: createUsageStore(collections),
      auditLog: createAuditLogStore(collections),
      credentials: createCredentialStore(collections),
      sealed: createSealedStore(collections),
      vault: openVault(settings.SECRET_KEYS),
      renewals: createRenewalStore(collections),
      consents: createConsentStore(collections),
      consentClients,
      exchangeCode: (grant) => exchangeCode(grant),
      tokenEndpoint: (grant) => requestTokens(consentClients.withSecret(grant)),
      toItsEnd: finishing(context),
      random: Math.random,
      relay,
    };
    startSealing(deps, context);
    const operators = implement(
      WorkspaceOperatorServiceDefinition,
      audited<WorkspaceOperatorServiceDefinition>(createOperatorHandlers(deps), workspaceAudit(deps), trail),
    );
    const others = [
      ...deadLetterServices(settings, { deadLetters: createDeadLetterStore(collections), bus, context }),
      ...accessServices(settings, deps, context),
    ];
    const operatorPort = await openOperatorPort(settings, operators, context, others);
    const services = [
      implement(WorkspaceServiceDefinition, createHandlers(deps)),
      implement(ActivityServiceDefinition, createActivityHandlers(deps)),
      ...appServices(settings, deps, trail, context),
    ];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

function deadLetterServices({ OPERATOR_TOKEN }: Config, deps: DeadLetterDeps): Implementation[] {
  if (!OPERATOR_TOKEN) return [];
  const token = changingToken('OPERATOR_TOKEN', OPERATOR_TOKEN, deps.context);
  return [withToken(implement(DeadLetterServiceDefinition, deadLetterHandlers(deps)), token)];
}

/** For the app. Its token opens the calls of its pages, and no call of operators. */
function appServices({ APP_TOKEN }: Config, deps: Deps, trail: AuditTrail, context: ServiceContext): Implementation[] {
  if (!APP_TOKEN) return [];
  const handlers = audited<WorkspaceAppServiceDefinition>(createAppHandlers(deps), workspaceAppAudit(deps), trail);
  const token = changingToken('APP_TOKEN', APP_TOKEN, context);
  return [withToken(implement(WorkspaceAppServiceDefinition, handlers), token)];
}

/** For the services that log in to mail servers, by a token of their own. */
function accessServices({ MAILBOX_ACCESS_TOKEN }: Config, deps: Deps, context: ServiceContext): Implementation[] {
  if (!MAILBOX_ACCESS_TOKEN) return [];
  const token = changingToken('MAILBOX_ACCESS_TOKEN', MAILBOX_ACCESS_TOKEN, context);
  return [withToken(implement(MailboxAccessServiceDefinition, createAccessHandlers(deps)), token)];
}

/** Work that must not be left half done, such as the exchange of a token that is good once. */
function finishing({ lifecycle }: ServiceContext): Deps['toItsEnd'] {
  const running = new Set<Promise<unknown>>();
  lifecycle.add('unfinished work', () => Promise.allSettled(running));
  return (work) => {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  };
}
