import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { consumeEvents } from '@postroom/events/consume-events';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus } from '@postroom/events/memory-bus';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { nothingChanges } from '@postroom/runtime/variable-changes';
import { inMemory } from './in-memory.test-support.ts';
import { openAiModel } from './model/openai-model.ts';
import { conversationOf, createOnEmailReceived } from './on-email-received.ts';

const EMAILS = ['one', 'two', 'three', 'four', 'five'];
const verdicts = [{ rule_id: 'air_1', applies: false, confidence: 90, reason: 'so' }];
const message = { role: 'assistant', content: JSON.stringify({ verdicts }), refusal: null };

/** An endpoint that is away until it is told to be there. */
async function openEndpoint() {
  const endpoint = { isThere: false, calls: 0, baseUrl: '', close: async () => undefined as void };
  const server = createServer((request, response) => {
    endpoint.calls += 1;
    request.resume().once('end', () => {
      response.writeHead(endpoint.isThere ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(endpoint.isThere ? { choices: [{ index: 0, finish_reason: 'stop', message }] } : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  endpoint.close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve())));
  return endpoint;
}

it('mail that comes while the model is away for an hour is classified late, once each, and none is given up', async () => {
  const clock = manualClock();
  const endpoint = await openEndpoint();
  const bus = memoryBus({ clock, log: silentLog });
  const deps = { clock, log: silentLog, metrics: createMetrics('test'), changes: nothingChanges };
  const model = openAiModel({ baseUrl: endpoint.baseUrl, apiKey: 'key', model: 'small' }, deps);
  const memory = inMemory({ clock });
  const handle = createOnEmailReceived({ ...memory.deps, model });
  const attempts: number[] = [];
  await consumeEvents(
    bus,
    { lifecycle: { add: () => undefined }, clock },
    {
      group: 'classifier',
      type: 'email.received',
      concurrency: 4,
      orderBy: conversationOf,
      handle: (event, work) => (attempts.push(work.attempt), handle(event, work)),
    },
  );
  const about = { workspaceId: 'wsp_1', occurredAt: clock.date(), type: 'email.received' } as const;
  const facts = { mailboxId: 'mbx_1', folderType: 'INBOX' };
  const events = EMAILS.map((id) => encodeEvent({ ...about, id, data: { ...facts, emailId: id, threadId: id } }));
  await bus.publish('email.received', events);

  /** A minute, in which what is asked over the wire may be answered. */
  const passMinute = async () => {
    const { calls } = endpoint;
    await clock.advance(60_000);
    for (let turn = 0; turn < 5 || calls === endpoint.calls; turn++) {
      if (memory.recorded.length === EMAILS.length) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(1_000);
    }
  };
  for (let minute = 0; minute < 60; minute++) await passMinute();
  expect(memory.recorded).toEqual([]);
  endpoint.isThere = true;
  while (memory.recorded.length < EMAILS.length) await passMinute();
  await bus.idle();

  expect(memory.recorded.map(({ emailId }) => emailId).toSorted()).toEqual(EMAILS.toSorted());
  expect(bus.messagesIn('email.received.dead')).toEqual([]);
  // The first failures may have been the emails' own; from the third on they are the model's, and nobody's attempt.
  expect(attempts.length).toBeGreaterThan(EMAILS.length * 20);
  expect(Math.max(...attempts)).toBeLessThan(4);
  await bus.close();
  await endpoint.close();
}, 60_000);
