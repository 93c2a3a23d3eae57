import { beforeEach, expect, it } from '@jest/globals';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { secretOf } from '@postroom/secrets/secret';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { createDeliver } from './deliver.ts';
import type { ProgressStore } from './progress-store.ts';
import { ANNOUNCED } from './schedule.ts';

const clock = manualClock('2026-03-01T00:00:00Z');
const { signal } = new AbortController();
const delivery = { changeId: 'evt_1', event: 'email.deleted', changedAt: clock.date(), data: {} } as const;
const webhookOf = (_id: string, workspaceId = 'wsp_1', failingSince: Date | null = null) =>
  ({ _id, workspaceId, url: `https://${_id}.example.com/`, failingSince }) as WebhookDocument;

/** The requests that have no answer yet, by host. */
const open = new Map<string, (status: number) => void>();
const begun: string[] = [];
beforeEach(() => {
  open.clear();
  begun.length = 0;
});

function attemptsOf(inFlight: number) {
  const sender: AttemptDeps['sender'] = {
    send: async (find) => {
      const { host } = await find();
      begun.push(host);
      const status = await new Promise<number>((resolve) => open.set(host, resolve));
      return { status, isDelivered: status === 200, error: null };
    },
  };
  const targets = {
    find: async (text: string) => {
      const url = new URL(text);
      return { url, host: url.hostname.replace('.example.com', ''), addresses: [], port: 443 };
    },
  };
  const signing = { open: async () => secretOf('whsec_') };
  const deps = { context: { clock, log: silentLog }, sender, targets, signing, attempts: { add: () => undefined } };
  return createAttempt({ ...deps, inFlight });
}

function runsOf(inFlight: number) {
  const { send, withPermit } = attemptsOf(inFlight);
  const sent = async (webhook: WebhookDocument) => void (await send(webhook, delivery));
  return (webhook: WebhookDocument) => void withPermit(webhook, () => sent(webhook), signal).catch(() => undefined);
}

const later = () => new Promise((resolve) => setImmediate(resolve));
async function answered(host: string, status: number): Promise<void> {
  await later();
  open.get(host)?.(status);
  await later();
}

it('begins an attempt at an endpoint that failed after those at endpoints that answer', async () => {
  const run = runsOf(100);
  for (const host of ['well', 'sick']) run(webhookOf(host));
  await answered('well', 200);
  await answered('sick', 500);
  begun.length = 0;
  for (const host of ['sick', 'well']) run(webhookOf(host));
  await later();
  expect(begun).toEqual(['well']);
  await clock.advance(250);
  await later();
  expect(begun).toEqual(['well', 'sick']);
  await answered('sick', 200);
  run(webhookOf('sick'));
  await later();
  expect(begun).toEqual(['well', 'sick', 'sick']);
});

it('takes an endpoint for sick that failed before this process started', async () => {
  const run = runsOf(100);
  run(webhookOf('sick', 'wsp_1', clock.date()));
  await later();
  expect(begun).toEqual([]);
});

it('1,000 endpoints that hang leave half of all attempts to those that answer, and a new one has its turn by workspace', async () => {
  const run = runsOf(100);
  run(webhookOf('well', 'wsp_2'));
  await answered('well', 200);
  begun.length = 0;
  for (let n = 0; n < 1_000; n += 1) run(webhookOf(`hangs${n}`));
  await later();
  expect(begun).toHaveLength(50);
  run(webhookOf('well', 'wsp_2'));
  run(webhookOf('new', 'wsp_3'));
  await later();
  expect(begun.slice(50)).toEqual(['well']);
  await answered('hangs0', 500);
  await later();
  expect(begun.slice(51)).toEqual(['new']);
});

it.each<[string, Partial<WebhookDocument>, boolean, string[]]>([
  ['is paused', { status: 'paused' }, true, []],
  ['gets another URL', { url: 'https://other.example.com/' }, true, ['other']],
  ['gets another process', {}, false, []],
])(
  'makes no attempt at an endpoint as it was before the wait for a permit: it %s',
  async (_what, change, isMine, made) => {
    const attempt = attemptsOf(1);
    const hanging = attempt.withPermit(
      webhookOf('hangs'),
      async () => void (await attempt.send(webhookOf('hangs'), delivery)),
      signal,
    );
    await later();
    let stored: WebhookDocument = { ...webhookOf('waits'), status: 'enabled', orderedUntil: 0 };
    let isOwn = true;
    const progress = { find: async () => stored, insert: async () => true } as unknown as ProgressStore;
    const deps = { context: { clock, log: silentLog }, progress, attempt, plan: ANNOUNCED, onDue: () => undefined };
    const { one } = createDeliver({ ...deps, isMine: () => isOwn });
    const over = one(
      stored,
      { ...delivery, seq: 1, failures: 0 } as unknown as DeliveryDocument,
      'first',
      signal,
    ).catch(() => undefined);
    await later();
    stored = { ...stored, ...change };
    isOwn = isMine;
    begun.length = 0;
    await answered('hangs', 200);
    await hanging;
    for (const host of ['waits', 'other']) await answered(host, 200);
    await over;
    expect(begun).toEqual(made);
  },
);
