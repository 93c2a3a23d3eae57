import { createTracing } from './tracing.ts';

// Makes the spans that tracing.test.ts reads at its collector. It is a process of its own, because the exporter loads
// Node's http by a dynamic import, which jest cannot do.
const endpoint = process.argv[2];
const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const dropped = caller.replace(/01$/, '00');

async function main(): Promise<void> {
  const tracing = createTracing({ service: 'trial', endpoint });
  await tracing.withSpan('request', { 'http.status': 200 }, caller, async () => {}, 'server');
  await tracing.withSpan('outer', {}, undefined, async () => {
    await Promise.resolve();
    tracing.startSpan('inner', {}, undefined, 'client').end();
  });
  await tracing.withSpan('dropped by a stranger', {}, tracing.decide(dropped), async () => {});
  const failure = Object.assign(new Error('refused canary@example.com'), { code: 'EENVELOPE' });
  const attributes = { subject: 'canary', reason: 'to canary@example.com' };
  await tracing.withSpan('failing', attributes, undefined, () => Promise.reject(failure)).catch(() => {});
  await tracing.close();

  const rare = createTracing({ service: 'trial', endpoint, ratio: 0 });
  await rare.withSpan('dropped by its caller', {}, dropped, async (span) => {
    process.stdout.write(String(span.traceparent));
  });
  await rare.withSpan('dropped here', {}, undefined, async () => rare.startSpan('dropped inside', {}).end());
  await rare.withSpan('kept by a stranger', {}, rare.decide(caller), async () => {});
  await rare.withSpan('kept by its caller', {}, caller, async () => {});
  await rare.close();
}

void main();
