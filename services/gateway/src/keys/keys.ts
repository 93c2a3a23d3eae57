import { ApiError } from '@postroom/errors/api-error';
import type { IdentityServiceDefinition, ResolveAccessTokenResponse } from '@postroom/proto/postroom/v1/identity';
import type { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { callerFrom, type Caller, type Known } from './caller.ts';
import { createKeyDirectory, type KeyDirectory } from './key-directory.ts';

export type { Caller } from './caller.ts';

export interface ApiKeys {
  /** The caller whose key has this hash, or a 401. An answer from the cache needs no promise. */
  callerOf(secretHash: string, requestId: string): Promise<Caller> | Caller;
  /** The caller whose access token has this hash, or a 401. Only the MCP server takes these tokens. */
  clientOf(tokenHash: string, requestId: string): Promise<Caller> | Caller;
}

interface KeysDeps {
  workspace: Pick<Client<typeof WorkspaceServiceDefinition>, 'resolveKey'>;
  identity: Pick<Client<typeof IdentityServiceDefinition>, 'resolveAccessToken'>;
  /** The address of the MCP server. Access tokens for another one are refused. */
  mcpUrl?: string | undefined;
  clock: Clock;
  log: Log;
}

export function createKeys({ workspace, identity, mcpUrl, clock, log }: KeysDeps): ApiKeys {
  const keys = createKeyDirectory({
    find: async (secretHash, context) => {
      const { key, workspace: home } = await workspace.resolveKey({ secretHash }, context);
      return key && home ? { key, workspace: home } : undefined;
    },
    clock,
    log,
  });
  const tokens = createKeyDirectory({
    find: async (tokenHash, context) => knownOf(await identity.resolveAccessToken({ tokenHash }, context), mcpUrl),
    clock,
    log,
  });
  const ask = (directory: KeyDirectory, hash: string, requestId: string) => {
    const found = directory.resolve(hash, requestId);
    return found instanceof Promise ? found.then((known) => admit(known, clock)) : admit(found, clock);
  };
  return {
    callerOf: (secretHash, requestId) => ask(keys, secretHash, requestId),
    clientOf: (tokenHash, requestId) => ask(tokens, tokenHash, requestId),
  };
}

/** A grant opens a workspace as a key does, and has a level in the place of the Send emails permission. */
function knownOf(message: ResolveAccessTokenResponse, mcpUrl: string | undefined): Known | undefined {
  const { grant, workspace, expiresAt, resource } = message;
  if (!grant || !workspace || (mcpUrl !== undefined && resource !== mcpUrl)) return undefined;
  const { id, clientName: name, scopes, createdAt, level, personId } = grant;
  return {
    key: { id, name, scopes, allowOutboundSend: false, createdAt, expiresAt },
    workspace,
    agent: { kind: 'grant', id, name, level, personId },
  };
}

function admit(known: Known | undefined, clock: Clock): Caller {
  if (!known) throw new ApiError('INVALID_API_KEY');
  const now = clock.now();
  const { revokedAt, expiresAt } = known.key;
  if (revokedAt !== undefined) throw new ApiError('API_KEY_REVOKED');
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) {
    throw new ApiError('API_KEY_EXPIRED', { details: { expiredAt: expiresAt } });
  }
  return callerFrom(known, now);
}
