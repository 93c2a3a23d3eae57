import { beforeEach, expect, it } from '@jest/globals';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { secretOf } from '@postroom/secrets/secret';
import { type AttemptDeps, createAttempt } from './attempt.ts';

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
  const { run } = createAttempt({ ...deps, inFlight });
  return (webhook: WebhookDocument) => void run(webhook, delivery, signal).catch(() => undefined);
}

const later = () => new Promise((resolve) => setImmediate(resolve));
async function answered(host: string, status: number): Promise<void> {
  await later();
  open.get(host)?.(status);
  await later();
}

it('begins an attempt at an endpoint that failed after those at endpoints that answer', async () => {
  const run = attemptsOf(100);
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
  const run = attemptsOf(100);
  run(webhookOf('sick', 'wsp_1', clock.date()));
  await later();
  expect(begun).toEqual([]);
});

it('1,000 endpoints that hang leave half of all attempts to those that answer, and a new one has its turn by workspace', async () => {
  const run = attemptsOf(100);
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
