import type { ServerResponse } from 'node:http';

/** The answer to a request that the protocol does not get to see. */
export interface HttpRefusal {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
}

export function refuseRequest(response: ServerResponse, { status, headers, body }: HttpRefusal): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(bytes);
}

interface Challenge {
  status: 401 | 403;
  /** Absent where no credentials came. */
  error?: 'invalid_token' | 'insufficient_scope';
  description: string;
  scope: string;
  metadataUrl: string;
  code: string;
}

/** Says what credentials are needed, and where the metadata tells how to get them (RFC 6750, RFC 9728). */
export function challenge({ status, error, description, scope, metadataUrl, code }: Challenge): HttpRefusal {
  const parts = [
    ...(error ? [`error="${error}"`, `error_description="${description.replace(/["\\]/g, "'")}"`] : []),
    `scope="${scope}"`,
    `resource_metadata="${metadataUrl}"`,
  ];
  return {
    status,
    headers: { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` },
    body: { ...(error && { error }), error_description: description, code },
  };
}
