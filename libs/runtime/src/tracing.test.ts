import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';
import { createTracing, noTracing } from './tracing.ts';

interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code: number };
  attributes: { key: string; value: unknown }[];
}
interface Sent {
  resourceSpans: { resource: { attributes: unknown }; scopeSpans: { spans: SentSpan[] }[] }[];
}

describe('tracing to a collector', () => {
  let collector: Server;
  let printed = '';
  const received: { path: string; body: Sent }[] = [];
  const spans = () =>
    received.flatMap(({ body }) => body.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
  const span = (wanted: string) => spans().find(({ name }) => name === wanted);

  beforeAll(async () => {
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) as Sent });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const args = [
      '--conditions=@postroom/source',
      '-r',
      '@postroom/from-source/register',
      `${__dirname}/tracing.test-support.ts`,
      endpoint,
    ];
    printed = (await promisify(execFile)(process.execPath, args)).stdout;
  });
  afterAll(() => new Promise((resolve) => collector.close(resolve)));

  it('sends a span with its service, parent, kind and attributes to /v1/traces', () => {
    expect(received[0]?.path).toBe('/v1/traces');
    expect(JSON.stringify(received[0]?.body.resourceSpans[0]?.resource)).toContain('trial');
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    expect(span('request')).toMatchObject({ kind: 2, traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(span('request')?.attributes).toContainEqual({ key: 'http.status', value: { intValue: 200 } });
  });

  it('makes what runs inside a span its child, without handing anything on', () => {
    const outer = span('outer');
    expect(span('inner')).toMatchObject({ kind: 3, parentSpanId: outer?.spanId, traceId: outer?.traceId });
  });

  it('names the kind of a failure, and neither its text nor a private attribute', () => {
    expect(span('failing')?.status.code).toBe(2);
    expect(JSON.stringify(span('failing'))).toContain('Error EENVELOPE');
    expect(JSON.stringify(spans())).not.toContain('canary');
  });

  it('follows the decision of a caller of ours, not that of a stranger, and keeps its own for everything inside', () => {
    expect(spans().map(({ name }) => name)).toEqual([
      'request',
      'inner',
      'outer',
      'dropped by a stranger',
      'failing',
      'kept by its caller',
    ]);
    expect(parseTraceparent(printed)?.sampled).toBe(false);
  });
});

describe('tracing without a collector', () => {
  it('is off, hands the work the same silent span each time and loads no exporter', async () => {
    const tracing = createTracing({ service: 'x' });
    expect(tracing).toBe(noTracing);
    const first = await tracing.withSpan('a', {}, undefined, (span) => Promise.resolve(span));
    const second = tracing.startSpan('b', {});
    expect(first).toBe(second);
    expect(first.traceparent).toBeUndefined();
  });
});

describe('traceparent', () => {
  it.each([
    undefined,
    '',
    'nonsense',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  ])('reads %s as none', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('is written as it is read', () => {
    const header = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(formatTraceparent(parseTraceparent(header) as never)).toBe(header);
  });
});
