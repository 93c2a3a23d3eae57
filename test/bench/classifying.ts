import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Work } from '@postroom/events/bus';
import { consumeEvents } from '@postroom/events/consume-events';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { memoryBus } from '@postroom/events/memory-bus';
import { encodeEvent, type EventOf } from '@postroom/events/event';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import {
  askedEmail,
  withoutPatterns,
  withStrangers,
} from '../../services/classifier/src/classify/in-memory.test-support.ts';
import type { Model } from '../../services/classifier/src/model/model.ts';
import { conversationOf, createOnEmailReceived } from '../../services/classifier/src/pending/on-email-received.ts';
import { createWorker, type ClassifyWorkerDeps } from '../../services/classifier/src/pending/worker.ts';

const RULE = {
  _id: 'air_1',
  labelId: 'lbl_1',
  condition: 'The email is an invoice',
  autoDraftEnabled: false,
  autoReplyEnabled: false,
  autoReplyConfidenceThreshold: 80,
  autoReplyDelayMinutes: 5,
  updatedAt: new Date(0),
};
const TEXT = 'Please find attached our invoice for last month. The amount is due within thirty days. '.repeat(20);
const BATCH = 500;

/** A bus and its consumer under measurement. */
interface Line {
  /** Milliseconds from the first published event to the last handled one. */
  pass(count: number): Promise<number>;
  close(): Promise<void>;
}

/** The classifier between a bus and services that answer at once. */
export async function classifierLine(model: Model, concurrency: number): Promise<Line> {
  return line(concurrency, (done) => {
    const deps: ClassifyWorkerDeps = {
      model,
      modelUse: { of: () => () => undefined },
      clock: systemClock,
      log: silentLog,
      failures: { add: () => undefined },
      rulesOf: async () => [RULE],
      livingRules: async (_workspaceId, rules) => [...rules],
      answers: { find: async () => undefined },
      mail: { body: async () => ({ html: null, text: TEXT }) },
      correspondence: withStrangers,
      compiled: withoutPatterns,
      pending: {
        inThread: async (workspaceId, { emailId: _id }) => [
          {
            ...askedEmail({ _id, subject: 'Your invoice', from: { email: 'shop@shop.example', name: 'Shop' } }),
            workspaceId,
          },
        ],
      },
      outboundSend: { scheduleReply: async () => ({ draftId: '' }) },
      mailboxWrite: {
        postponeClassification: async () => ({ isChanged: true }),
        keepVerdicts: async () => ({ verdicts: [] }),
        recordClassification: async () => {
          done();
          return { labelIds: [], othersKept: [] };
        },
      },
    };
    // All of the mail is one workspace's, which may have half of the room.
    const worker = createWorker(deps, 2 * concurrency);
    return createOnEmailReceived({ worker, model, rulesOf: deps.rulesOf });
  });
}

/** The same bus with a handler that does nothing. */
export function bareLine(concurrency: number): Promise<Line> {
  return line(concurrency, (done) => async () => done());
}

type Handle = (event: EventOf<'email.received'>, work: Work) => Promise<void>;

async function line(concurrency: number, handlerOf: (done: () => void) => Handle): Promise<Line> {
  const bus = memoryBus({ clock: systemClock, log: silentLog });
  let left = 0;
  let finish: () => void = () => undefined;
  const done = () => {
    left -= 1;
    if (left === 0) finish();
  };
  const type = 'email.received';
  const consumer = {
    group: 'classifier',
    type,
    deadLetters: memoryDeadLetters(),
    concurrency,
    orderBy: conversationOf,
    handle: handlerOf(done),
  } as const;
  await consumeEvents(bus, { lifecycle: { add: () => undefined }, clock: systemClock }, consumer);
  return {
    pass: async (count) => {
      const all = new Promise<void>((resolve) => (finish = resolve));
      left = count;
      const messages = received(count);
      const begun = performance.now();
      for (let at = 0; at < count; at += BATCH) await bus.publish(type, messages.slice(at, at + BATCH));
      await all;
      return performance.now() - begun;
    },
    close: () => bus.close(),
  };
}

function received(count: number) {
  const occurredAt = new Date(0);
  return Array.from({ length: count }, (_, at) => {
    const data = { emailId: `eml_${at}`, mailboxId: `mbx_${at % 200}`, folderType: 'INBOX', threadId: `thr_${at}` };
    return encodeEvent({ id: `evt_${at}`, workspaceId: 'wsp_bench', occurredAt, type: 'email.received', data });
  });
}

/** An endpoint that takes so long for each answer, and any number at once. */
export async function slowEndpoint(takesMs: number) {
  const verdicts = [{ rule_id: RULE._id, applies: true, confidence: 90, reason: 'it is one' }];
  const message = { role: 'assistant', content: JSON.stringify({ verdicts }), refusal: null };
  const answer = JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] });
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer), takesMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}
