import { beforeEach, expect, it } from '@jest/globals';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { secretOf } from '@postroom/secrets/secret';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { createMakeAttempts } from './make-attempts.ts';
import { createPacing } from './pacing.ts';
import type { ProgressStore } from './progress-store.ts';
import { ANNOUNCED } from './schedule.ts';

const clock = manualClock('2026-03-01T00:00:00Z');
const delivery = { changeId: 'evt_1', event: 'email.deleted', changedAt: clock.date(), data: {} } as const;
const webhookOf = (_id: string, workspaceId = 'wsp_1', failingSince: Date | null = null) =>
  ({ _id, workspaceId, url: `https://${_id}.example.com/`, failingSince }) as WebhookDocument;

/** The requests that have no answer yet, by host. */
const open = new Map<string, (status: number) => void>();
const begun: string[] = [];
let closing = new AbortController();
beforeEach(() => {
  closing.abort();
  closing = new AbortController();
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
  const pacing = createPacing(clock);
  return { pacing, ...createAttempt({ ...deps, pacing, inFlight }) };
}

function runsOf(inFlight: number) {
  const { send, withPermit } = attemptsOf(inFlight);
  const sent = async (webhook: WebhookDocument) => void (await send(webhook, delivery));
  return (webhook: WebhookDocument) =>
    void withPermit(webhook, () => sent(webhook), closing.signal).catch(() => undefined);
}

const later = () => new Promise((resolve) => setImmediate(resolve));
/** So many gaps between attempts at new endpoints. */
async function gaps(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await later();
    await clock.advance(10);
  }
  await later();
}
async function answered(host: string, status: number): Promise<void> {
  await later();
  open.get(host)?.(status);
  await later();
}

it('begins at an endpoint that answers at once, and at the others one after the other, in rotation by workspace', async () => {
  const run = runsOf(1_000);
  run(webhookOf('well'));
  await gaps(1);
  await answered('well', 200);
  begun.length = 0;
  for (let n = 0; n < 100; n += 1) run(webhookOf(`failing${n}`, 'wsp_1', clock.date()));
  for (let n = 0; n < 100; n += 1) run(webhookOf(`new${n}`, 'wsp_2'));
  run(webhookOf('other', 'wsp_3'));
  run(webhookOf('well'));
  await later();
  expect(begun).toEqual(['well']);
  await gaps(25);
  expect(begun.slice(0, 5)).toEqual(['well', 'new0', 'other', 'new1', 'new2']);
  expect(begun.filter((host) => host.startsWith('failing'))).toEqual(['failing0', 'failing1']);
});

it('begins at once at an endpoint that answers again, and no longer at one that fails for the third time in a row', async () => {
  const run = runsOf(100);
  for (const [host, first, second] of [
    ['recovers', 500, 200],
    ['fails', 200, 500],
  ] as const) {
    for (const status of [first, second, second, second]) {
      run(webhookOf(host));
      await gaps(11);
      await answered(host, status);
    }
    begun.length = 0;
    run(webhookOf(host));
    await later();
    expect(begun).toEqual(second === 200 ? [host] : []);
    await gaps(11);
  }
});

it('an endpoint that answers does not wait behind 1,000 that hang after it failed once', async () => {
  const run = runsOf(2_048);
  run(webhookOf('blips', 'wsp_0'));
  await gaps(1);
  await answered('blips', 200);
  for (let n = 0; n < 1_000; n += 1) run(webhookOf(`hangs${n}`, `wsp_${1 + (n % 50)}`, clock.date()));
  run(webhookOf('blips', 'wsp_0'));
  await answered('blips', 500);
  begun.length = 0;
  run(webhookOf('blips', 'wsp_0'));
  await later();
  expect(begun).toEqual(['blips']);
});

it('an endpoint that takes each delivery after seconds does not wait behind 1,000 that hang', async () => {
  const run = runsOf(2_048);
  for (let n = 0; n < 4; n += 1) {
    run(webhookOf('slow', 'wsp_0'));
    await gaps(3);
    await clock.advance(3_000);
    await answered('slow', 200);
  }
  for (let n = 0; n < 1_000; n += 1) run(webhookOf(`hangs${n}`, `wsp_${1 + (n % 50)}`, clock.date()));
  begun.length = 0;
  run(webhookOf('slow', 'wsp_0'));
  await later();
  expect(begun).toEqual(['slow']);
});

it('1,000 endpoints that hang leave half of all attempts to those that answer, and a new one gets its slot by workspace', async () => {
  const run = runsOf(100);
  run(webhookOf('well', 'wsp_2'));
  await gaps(1);
  await answered('well', 200);
  begun.length = 0;
  for (let n = 0; n < 1_000; n += 1) run(webhookOf(`hangs${n}`, `wsp_hanging_${n % 50}`));
  await gaps(100);
  expect(begun).toHaveLength(50);
  run(webhookOf('well', 'wsp_2'));
  run(webhookOf('new', 'wsp_3'));
  await gaps(60);
  expect(begun.slice(50)).toEqual(['well']);
  await answered('hangs0', 500);
  await later();
  expect(begun.slice(51)).toEqual(['new']);
});

it('1,000 endpoints of 50 workspaces that answered, and hang now, leave room for another that answers', async () => {
  const { pacing, send, withPermit } = attemptsOf(2_048);
  const run = (webhook: WebhookDocument) => {
    const task = async () => void (await send(webhook, delivery));
    void withPermit(webhook, task, closing.signal).catch(() => undefined);
  };
  const answered = { isDelivered: true };
  for (let n = 0; n < 1_000; n += 1) {
    pacing.note(`hangs${n}`, answered);
    for (let times = 0; times < 8; times += 1) run(webhookOf(`hangs${n}`, `wsp_${n % 50}`));
  }
  pacing.note('well', answered);
  run(webhookOf('well', 'wsp_well'));
  await later();
  expect(begun).toContain('well');
});

it.each([
  ['takes each delivery', 8, true],
  ['takes none', 1, false],
])('an endpoint that %s has at most %i attempts at once', async (_what, atOnce, isDelivered) => {
  const { pacing, ...attempt } = attemptsOf(100);
  const stored = { ...webhookOf('slow'), status: 'enabled', orderedUntil: 0 } as WebhookDocument;
  const progress = { find: async () => stored, insert: async () => true } as unknown as ProgressStore;
  const deps = { context: { clock, log: silentLog }, progress, attempt, pacing, plan: ANNOUNCED };
  const { one } = createMakeAttempts({ ...deps, isMine: () => true, onDue: () => undefined });
  for (let n = 0; n < 4; n += 1) pacing.note('slow', { isDelivered });
  for (let seq = 1; seq <= 20; seq += 1) {
    const next = { ...delivery, seq, failures: 0 } as unknown as DeliveryDocument;
    void one(stored, next, 'first', closing.signal).catch(() => undefined);
  }
  await gaps(60);
  expect(begun).toHaveLength(atOnce);
});

it.each<[string, Partial<WebhookDocument>, boolean, string[]]>([
  ['is paused', { status: 'paused' }, true, []],
  ['is enabled again, and gets what it missed first', { orderedUntil: 5 }, true, []],
  ['gets another URL', { url: 'https://other.example.com/' }, true, ['other']],
  ['gets another process', {}, false, []],
])(
  'makes no attempt at an endpoint as it was before the wait for a permit: it %s',
  async (_what, change, isMine, made) => {
    const { pacing, ...attempt } = attemptsOf(1);
    const hanging = attempt.withPermit(
      webhookOf('hangs'),
      async () => void (await attempt.send(webhookOf('hangs'), delivery)),
      closing.signal,
    );
    await gaps(1);
    let stored: WebhookDocument = { ...webhookOf('waits'), status: 'enabled', orderedUntil: 0 };
    let isOwn = true;
    const progress = { find: async () => stored, insert: async () => true } as unknown as ProgressStore;
    const deps = { context: { clock, log: silentLog }, progress, attempt, pacing, plan: ANNOUNCED };
    const { one } = createMakeAttempts({ ...deps, isMine: () => isOwn, onDue: () => undefined });
    const over = one(
      stored,
      { ...delivery, seq: 1, failures: 0 } as unknown as DeliveryDocument,
      'first',
      closing.signal,
    ).catch(() => undefined);
    await gaps(1);
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
