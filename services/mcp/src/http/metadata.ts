import { SCOPES } from '@postroom/contract/lists';

interface Addresses {
  MCP_URL: string;
  OAUTH_ISSUER?: string | undefined;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The metadata of the protected resource (RFC 9728), and the paths at which clients look for it. */
export function resourceMetadata({ MCP_URL, OAUTH_ISSUER }: Addresses) {
  const { origin, pathname } = new URL(MCP_URL);
  const own = `${WELL_KNOWN}${pathname}`;
  return {
    url: `${origin}${own}`,
    paths: new Set([own, WELL_KNOWN]),
    document: {
      resource: MCP_URL,
      resource_name: 'Postroom',
      ...(OAUTH_ISSUER !== undefined && { authorization_servers: [OAUTH_ISSUER] }),
      scopes_supported: [...SCOPES],
      bearer_methods_supported: ['header'],
    },
  };
}
