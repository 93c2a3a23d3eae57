import { refuse } from '@postroom/errors/refuse';
import type { OAuthGrant as OAuthGrantMessage } from '@postroom/proto/postroom/v1/workspace';
import { secretOf } from '@postroom/secrets/secret';
import type { OAuthGrant } from '../credentials.ts';
import type { Deps, OperatorRpcs } from '../deps.ts';
import { grantRules, parseRequest } from '../rules.ts';
import { EndpointFault, GrantGone } from './token-endpoint.ts';

export function grantHandlers({ tokenEndpoint, toItsEnd }: Pick<Deps, 'tokenEndpoint' | 'toItsEnd'>) {
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
  } satisfies Partial<OperatorRpcs>;
}

export function grantOf({ clientSecret, refreshToken, ...open }: OAuthGrantMessage): OAuthGrant {
  return {
    ...open,
    refreshToken: secretOf(refreshToken),
    ...(clientSecret !== undefined && { clientSecret: secretOf(clientSecret) }),
  };
}
