import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceContext } from './service.ts';

export interface AdminServer {
  port: number;
  close(): Promise<void>;
}

type Page = (response: ServerResponse) => Promise<void> | void;

/** Serves probes and Prometheus. It has a port of its own, so that it is never exposed together with the service. */
export async function openAdminServer(
  { port, host }: { port: number; host?: string | undefined },
  { readiness, metrics, log }: Pick<ServiceContext, 'readiness' | 'metrics' | 'log'>,
): Promise<AdminServer> {
  const pages: Record<string, Page> = {
    // Alive means that this process answers. An engine that is down must not get every pod restarted.
    '/livez': (response) => send(response, 200, 'text/plain', 'ok\n'),
    '/readyz': async (response) => {
      const { ready, failed } = await readiness.check();
      send(response, ready ? 200 : 503, 'text/plain', ready ? 'ok\n' : `not ready: ${failed.join(', ')}\n`);
    },
    '/metrics': async (response) => send(response, 200, 'text/plain; version=0.0.4', await metrics.page()),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const page = request.method === 'GET' ? pages[(request.url ?? '').split('?')[0] ?? ''] : undefined;
    if (!page) return send(response, 404, 'text/plain', 'not found\n');
    try {
      await page(response);
    } catch (error) {
      log.error({ err: error }, 'admin page failed');
      send(response, 500, 'text/plain', 'failed\n');
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A scraper keeps its connection open, so the process would wait for it.
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}
