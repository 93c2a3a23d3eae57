import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@postroom/events/event';
import { consumeEvents } from '@postroom/events/consume-events';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { memoryBus } from '@postroom/events/memory-bus';
import type { OutboxStore, PendingEvent } from '@postroom/events/outbox/outbox-store';
import { createRelay } from '@postroom/events/outbox/relay';
import { ForwardEmailRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { createOnEmailClassified } from '../../services/forwarder/src/forwards/on-email-classified.ts';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import type { RunRulesDeps } from '../../services/forwarder/src/forwards/run-rules.ts';
import type { Deps } from '../../services/outbound-send/src/deps.ts';
import { forwardHandlers } from '../../services/outbound-send/src/forwards/forwards.ts';
import { recording } from '../../services/outbound-send/src/recording/record-sent.ts';
import { memorySends } from '../../services/outbound-send/src/sending/memory-sends.test-support.ts';
import { runSend } from '../../services/outbound-send/src/sending/run-send.ts';
import type { SendDeps } from '../../services/outbound-send/src/sending/send-deps.ts';
import { anySlot, NOBODY } from '../../services/outbound-send/src/sending/send-world.test-support.ts';

const rule = {
  _id: 'afr_1',
  workspaceId: 'w',
  conditionField: 'subject_contains',
  conditionValue: 'invoice',
  forwardTo: 'books@other.example',
  mode: 'normal',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const email = {
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  messageId: '<1@far.example>',
  references: [],
  from: { email: 'zoe@far.example', name: 'Zoe' },
  senderAddress: 'zoe@far.example',
  to: [],
  cc: [],
  subject: 'Invoice 7',
  date: new Date(0),
  folderType: 'INBOX',
  isAutomatic: false,
  hasAttachments: false,
  place: null,
};
const mailbox = { _id: 'mbx_1', email: 'ann@acme.example', name: null, status: 'active', aliases: [] };
const START = '2026-03-01T12:00:00Z';
const classified = encodeEvent({
  id: 'evt_1',
  type: 'email.classified',
  workspaceId: 'w',
  occurredAt: new Date(START),
  data: { emailId: 'eml_1', mailboxId: 'mbx_1', labelIds: [] },
});

class Killed extends Error {}

/** Every call of these, by its name, is a step before it and one after it, at which the process can be killed. */
function watched<T extends object>(calls: T, step: () => void): T {
  const entries = Object.entries(calls).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call];
    const watch = async (...args: unknown[]) => {
      step();
      const answer: unknown = await (call as (...args: unknown[]) => unknown)(...args);
      step();
      return answer;
    };
    return [name, watch];
  });
  return Object.fromEntries(entries) as T;
}

/** The databases and the mail server: they outlive every process. */
function surroundings() {
  const clock = manualClock(START);
  const store = memorySends();
  const taken: string[] = [];
  const logged: string[] = [];
  const log = new Map<string, { status: string }>();
  const outbox = { event: classified as typeof classified | undefined, touchedAt: clock.now() };
  const outboxStore: OutboxStore = {
    name: 'emails',
    count: async () => (outbox.event ? 1 : 0),
    claim: async (untouchedSince, now) => {
      if (!outbox.event || outbox.touchedAt > untouchedSince.getTime()) return [];
      outbox.touchedAt = now.getTime();
      return [{ ownerId: 'eml_1', events: { classified: outbox.event } }];
    },
    touch: async (_ids, until) => void (outbox.touchedAt = until.getTime()),
    hold: async (_claimed, until) => void (outbox.touchedAt = until.getTime()),
    release: async (now, since) => {
      if (outbox.touchedAt > now.getTime()) outbox.touchedAt = since.getTime();
    },
    markPublished: async () => void (outbox.event = undefined),
  };
  return { clock, store, taken, logged, log, outbox, outboxStore };
}

/** One process with everything on the way from the event to the line of the log. It is killed at one of its steps. */
async function live(world: ReturnType<typeof surroundings>, killAt: number): Promise<number> {
  const { clock, store, taken, log, logged, outboxStore } = world;
  let steps = 0;
  const step = () => {
    if ((steps += 1) > killAt) throw new Killed('killed');
  };
  const context = { clock, log: silentLog };
  const labelRule = watched(
    {
      recordForward: async ({ ruleId, emailId, status }: { ruleId: string; emailId: string; status: string }) => {
        logged.push(status);
        log.set(`${ruleId} ${emailId}`, { status });
        return {};
      },
    },
    step,
  );
  const sends = watched(store.sends, step);
  const mailReader = watched(
    {
      source: async () => email,
      mailbox: async () => mailbox,
      mailboxAndReach: async () => ({ mailbox, isOwn: false }),
      body: async () => ({ html: null, text: 'please pay' }),
      answered: async () => null,
    },
    step,
  );
  const deps = { sends, mailReader, labelRule, sender: { wake: () => undefined }, context } as unknown as Deps;
  const handlers = forwardHandlers(deps);
  const outboundSend = watched(
    {
      forwardEmail: (request: object, { operationId }: { operationId: string }) =>
        handlers.forwardEmail(ForwardEmailRequest.create(request), { workspaceId: 'w', operationId } as Call),
    },
    step,
  );
  const mail = watched(
    {
      activeRules: async () => [rule],
      email: async () => email,
      aiLabelNames: async () => [],
      isLogged: async (_w: string, ruleId: string, emailId: string) => log.has(`${ruleId} ${emailId}`),
    },
    step,
  );
  const sendDeps: SendDeps = {
    ...recording({ ...deps, mailboxWrite: watched({ storeOutgoing: async () => ({ id: 'eml_2' }) }, step) } as never),
    sends,
    context: { ...context, tracing: noTracing },
    serverOf: async () => ({ host: '', port: 0, isSecure: false, isPlain: true }),
    served: () => undefined,
    deliver: async (_server, { operation }, { dataStarted, dataEnding }) => {
      await dataStarted([]);
      await dataEnding();
      step();
      taken.push(operation);
      step();
      return { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
    },
    attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
    // The provider files what it has taken.
    draftIsUnchanged: async () => true,
    isFiled: async ({ _id }) => taken.includes(_id),
    unmet: async () => null,
    slots: anySlot,
    count: () => undefined,
  };
  const bus = memoryBus({ clock, log: silentLog, groupsOf: () => ['forwarder'] });
  const watchedOutbox = {
    ...outboxStore,
    markPublished: async (published: readonly PendingEvent[]) => {
      step();
      await outboxStore.markPublished(published);
    },
  };
  const relay = createRelay({ store: watchedOutbox, bus, context });
  const attempts = { attempt: async (_workspaceId: string, _id: string, work: () => Promise<void>) => work() };
  const skipped = { add: () => undefined };
  const forwards = { mail, labelRule, outboundSend, attempts, skipped } as unknown as RunRulesDeps;
  const handle = createOnEmailClassified(forwards, createRecentIds(10), clock);
  await consumeEvents(
    bus,
    { lifecycle: { add: () => undefined }, clock },
    { group: 'forwarder', type: 'email.classified', deadLetters: memoryDeadLetters(), handle },
  );
  const isAlive = () => steps <= killAt;
  for (let second = 0; second < 120 && isAlive(); second += 1) {
    await clock.advance(1_000);
    const claim = () => store.sends.claimDue(clock.date(), new Date(clock.now() + 60_000), NOBODY);
    for (let due = await claim(); due && isAlive(); due = await claim())
      await runSend(due, sendDeps).catch(() => undefined);
  }
  const closing = Promise.all([relay.close().catch(() => undefined), bus.close()]);
  await clock.advance(10_000);
  await closing;
  return steps;
}

/** Whether the message was taken, and what the log says of it. A message is never sent twice, and leaves one line. */
function outcomeOf({ taken, log, outbox }: ReturnType<typeof surroundings>) {
  expect(outbox.event).toBeUndefined();
  expect([...log.keys()]).toEqual(['afr_1 eml_1']);
  expect(taken.length).toBeLessThanOrEqual(1);
  return { isTaken: taken.length === 1, status: log.get('afr_1 eml_1')?.status };
}

describe('a process that is killed on the way of a forward', () => {
  it('at any step, and started again, sends one message and leaves one line in the log', async () => {
    const steps = await live(surroundings(), Infinity);
    expect(steps).toBeGreaterThan(30);
    const outcomes = new Map<number, ReturnType<typeof outcomeOf>>();
    for (let killAt = 0; killAt <= steps; killAt += 1) {
      const world = surroundings();
      await live(world, killAt);
      await live(world, Infinity);
      outcomes.set(killAt, outcomeOf(world));
    }
    const notTaken = [...outcomes.values()].filter(({ isTaken }) => !isTaken);
    // Killed when the server could have the message and had not: nobody knows, so it is not sent again, and the log says so.
    expect(notTaken).toEqual([
      { isTaken: false, status: 'failed' },
      { isTaken: false, status: 'failed' },
    ]);
    const taken = [...outcomes.values()].filter(({ isTaken }) => isTaken);
    expect(taken.every(({ status }) => status === 'sent')).toBe(true);
  });

  it('twice in a row, at any two steps, sends at most one message and tells whether it was sent', async () => {
    const steps = await live(surroundings(), Infinity);
    for (let first = 1; first <= steps; first += 3) {
      for (let second = 1; second <= 40; second += 5) {
        const world = surroundings();
        await live(world, first);
        await live(world, second);
        await live(world, Infinity);
        const { isTaken, status } = outcomeOf(world);
        expect({ first, second, status }).toEqual({ first, second, status: isTaken ? 'sent' : 'failed' });
      }
    }
  });
});
