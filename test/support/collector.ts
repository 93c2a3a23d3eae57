import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

interface Exported {
  resourceSpans: { scopeSpans: { spans: SeenSpan[] }[] }[];
}

export interface Collector {
  endpoint: string;
  spans(): SeenSpan[];
  /** The raw bodies of all export requests. */
  text(): string;
  close(): Promise<void>;
}

/** Receives spans over HTTP, as an OpenTelemetry collector does. */
export async function startCollector(): Promise<Collector> {
  const exported: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      exported.push(Buffer.concat(pieces).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      exported
        .map((text) => JSON.parse(text) as Exported)
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    text: () => exported.join('\n'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
