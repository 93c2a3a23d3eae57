import type { Route } from '../route.ts';

export function describeApi(routes: readonly Route[], publicUrl: string | undefined): unknown {
  return {
    openapi: '3.1.0',
    servers: [{ url: publicUrl ?? '/api/v1' }],
    paths: Object.fromEntries(routes.map((r) => [r.path, {}])),
  };
}
