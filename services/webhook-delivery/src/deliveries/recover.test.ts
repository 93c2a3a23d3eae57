import { expect, it } from '@jest/globals';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock } from '@postroom/runtime/clock';
import type { RecoverDeps } from './recover.ts';
import { recover } from './recover.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const NOW = '2026-03-08T00:00:00Z';
const CHANGES = 20_000;
const webhook = { _id: 'whk_1', workspaceId: 'wsp_1', events: [], cursor: CHANGES } as unknown as WebhookDocument;
/** One change in each half minute, up to now. */
const timeOf = (seq: number) => new Date(Date.parse(NOW) - (CHANGES - seq) * 30 * SECOND);

/** Each read of the feed takes so long. Of some changes, the event came an hour late. */
function worldOf(readMs: number, isLate: (seq: number) => boolean = () => false) {
  const clock = manualClock(NOW);
  const stored = new Set<string>();
  const reads: number[] = [];
  let told = 0;
  const deps = {
    context: { clock },
    deliveries: {
      revive: async () => 0,
      missing: async (_workspaceId: string, documents: { _id: string }[]) =>
        documents.filter(({ _id }) => !stored.has(_id)),
      add: async (_workspaceId: string, documents: { _id: string }[]) => {
        for (const { _id } of documents) stored.add(_id);
        return documents.length;
      },
      tell: async () => void (told += 1),
    },
    changes: {
      listChanges: async ({ since, limit = 0 }: { since?: { value: unknown }; limit?: number }) => {
        const after = Number(since?.value);
        reads.push(limit);
        await clock.advance(readMs);
        const changes = Array.from({ length: Math.min(limit, CHANGES - after) }, (_, n) => {
          const seq = after + 1 + n;
          const appendedAt = timeOf(seq).toISOString();
          const createdAt = isLate(seq) ? new Date(timeOf(seq).getTime() - HOUR).toISOString() : appendedAt;
          return { id: `evt_${seq}`, seq, event: 'email.deleted', data: '{}', createdAt, appendedAt };
        });
        const nextSeq = changes.at(-1)?.seq ?? after;
        return { changes, nextSeq, nextCursor: '', hasMore: nextSeq < CHANGES };
      },
    },
  } as unknown as RecoverDeps;
  const call = () => ({ workspaceId: 'wsp_1', deadline: clock.now() + 10 * SECOND }) as Parameters<typeof recover>[2];
  return { deps, call, stored, reads, told: () => told };
}

it('reads the feed from about the time on that it is asked for, and counts each missing delivery once', async () => {
  const { deps, call, stored, reads, told } = worldOf(1);
  const since = new Date(Date.parse(NOW) - HOUR);
  expect(await recover(webhook, since, call(), deps)).toBe(121);
  expect(stored.size).toBe(121);
  // It halves the feed fifteen times at most, and reads a page.
  expect(reads.filter((limit) => limit === 1).length).toBeLessThanOrEqual(15);
  expect(reads.filter((limit) => limit > 1).length).toBe(1);
  expect(await recover(webhook, since, call(), deps)).toBe(0);
  expect(told()).toBe(2);
});

it('finds every change of the time also where the events of one kind came an hour late', async () => {
  const { deps, call, stored } = worldOf(1, (seq) => seq % 3 > 0);
  const since = new Date(Date.parse(NOW) - HOUR / 2);
  await recover(webhook, since, call(), deps);
  const inTime = Array.from({ length: 61 }, (_, n) => CHANGES - n).filter((seq) => seq % 3 === 0);
  expect(stored.size).toBe(inTime.length);
});

it('plans are carried out after a call that died behind its last plan, once it is repeated', async () => {
  const { deps, call, told } = worldOf(1);
  const since = new Date(Date.parse(NOW) - HOUR);
  const tell = async () => Promise.reject(new Error('killed'));
  const dying = { ...deps, deliveries: { ...deps.deliveries, tell } };
  await expect(recover(webhook, since, call(), dying)).rejects.toThrow('killed');
  expect(await recover(webhook, since, call(), deps)).toBe(0);
  expect(told()).toBe(1);
});

it('408 QUERY_TIMEOUT keeps what it planned, and calls that go on from its time plan the rest', async () => {
  const { deps, call, stored, told } = worldOf(200);
  let since = new Date(0);
  let planned = 0;
  let calls = 1;
  for (; ; calls += 1) {
    try {
      planned += await recover(webhook, since, call(), deps);
      break;
    } catch (error) {
      const { code, details } = error as { code: string; details: { since: string; deliveries: number } };
      expect(code).toBe('QUERY_TIMEOUT');
      expect(new Date(details.since).getTime()).toBeGreaterThan(since.getTime());
      since = new Date(details.since);
      planned += details.deliveries;
    }
  }
  expect([planned, stored.size]).toEqual([CHANGES, CHANGES]);
  expect(told()).toBe(calls);
});
