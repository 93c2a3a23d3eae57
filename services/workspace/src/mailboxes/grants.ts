import { refuse } from '@postroom/errors/refuse';
import type {
  OAuthGrant as OAuthGrantMessage,
  WorkspaceOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import { secretOf } from '@postroom/secrets/secret';
import { parseRequest } from '@postroom/rpc/parse-request';
import { grantRules } from '../requests/requests.ts';
import { EndpointFault, GrantGone, type TokenAnswer } from '../oauth/token-endpoint.ts';
import type { OAuthGrant } from '../vault/vault.ts';

export interface GrantDeps {
  tokenEndpoint(grant: OAuthGrant): Promise<TokenAnswer>;
  /** Its tasks go on when their caller has gone, and the process waits for them before it ends. */
  toItsEnd<T>(work: Promise<T>): Promise<T>;
}

export function grantHandlers({ tokenEndpoint, toItsEnd }: GrantDeps) {
  return {
    requestTokens: async (request) => {
      const { grant } = parseRequest(grantRules, request);
      try {
        const { accessToken, refreshToken } = await toItsEnd(tokenEndpoint(grantOf(grant)));
        return { accessToken: accessToken.reveal(), refreshToken: refreshToken?.reveal() ?? grant.refreshToken };
      } catch (error) {
        if (error instanceof GrantGone || error instanceof EndpointFault) return refuse('grant', error.message);
        throw error;
      }
    },
  } satisfies Partial<Handlers<WorkspaceOperatorServiceDefinition>>;
}

export function grantOf({ clientSecret, refreshToken, ...open }: OAuthGrantMessage): OAuthGrant {
  return {
    ...open,
    refreshToken: secretOf(refreshToken),
    ...(clientSecret !== undefined && { clientSecret: secretOf(clientSecret) }),
  };
}
