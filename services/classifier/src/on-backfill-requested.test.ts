import { describe, expect, it } from '@jest/globals';
import { RetryLater } from '@postroom/events/bus';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import type { RecordBackfillRequest } from '@postroom/proto/postroom/v1/label_rule';
import { ModelUnavailable } from './model/availability.ts';
import { inMemory } from './in-memory.test-support.ts';
import { type BackfillDeps, createOnBackfillRequested } from './on-backfill-requested.ts';

const inbox = Array.from({ length: 20 }, (_, n) => ({ _id: `eml_${n}`, date: new Date(1_000_000 - n * 1_000) }));

/** One job over an inbox of twenty, whose progress is kept as label-rule keeps it. */
function world(limit = 200) {
  const memory = inMemory();
  const job = { _id: 'bfl_1', workspaceId: 'wsp_1', mailboxId: 'mbx_1', state: 'queued', limit, done: 0, total: 0 };
  const kept = { ...job, afterDate: null, afterId: null, cause: null } as unknown as BackfillJobDocument;
  /** What happens just before progress is kept. */
  const onRecord: (() => void)[] = [];
  const deps = {
    classifyDeps: memory.deps,
    jobs: { find: async () => ({ ...kept }) },
    mail: {
      newest: async (_workspaceId: string, _mailboxId: string, after: { _id: string } | undefined, most: number) => {
        const from = after ? inbox.findIndex(({ _id }) => _id === after._id) + 1 : 0;
        return inbox.slice(from, from + most);
      },
      find: async (_workspaceId: string, _id: string) => ({ ...memory.email, _id }),
      countInbox: async (_workspaceId: string, _mailboxId: string, most: number) => Math.min(most, inbox.length),
    },
    labelRule: {
      recordBackfill: async ({ state, done, total, afterDate, afterId, cause }: Partial<RecordBackfillRequest>) => {
        onRecord.shift()?.();
        const place = { afterDate: afterDate === undefined ? null : new Date(afterDate), afterId: afterId ?? null };
        Object.assign(kept, { state, done, total, cause: cause ?? null, ...place });
        return {};
      },
    },
  } as unknown as BackfillDeps;
  const data = { jobId: 'bfl_1', mailboxId: 'mbx_1', limit };
  const event = {
    id: 'evt_1',
    type: 'backfill.requested',
    workspaceId: 'wsp_1',
    occurredAt: new Date(0),
    data,
  } as const;
  const run = (attempt = 1) =>
    createOnBackfillRequested(deps)(event, { signal: new AbortController().signal, attempt });
  return { kept, run, memory, onRecord, done: () => memory.recorded.map(({ emailId }) => emailId) };
}

describe('a backfill', () => {
  it('labels the newest first, as many as were asked for, and prepares no reply', async () => {
    const { kept, run, memory, done } = world(6);
    await run();
    expect(done()).toEqual(['eml_0', 'eml_1', 'eml_2', 'eml_3', 'eml_4', 'eml_5']);
    expect(memory.recorded.every(({ isBackfill }) => isBackfill)).toBe(true);
    expect(memory.scheduled).toEqual([]);
    expect(kept).toMatchObject({ state: 'completed', done: 6, total: 6 });
  });

  it('looks at as many as were asked for until it began', async () => {
    const { kept, run, done, onRecord } = world(2);
    onRecord.push(() => (kept.limit = 5));
    await run();
    expect(done()).toHaveLength(5);
  });

  it('goes on behind what was reported when its worker has died, and does only those in hand again', async () => {
    const { kept, run, memory, done } = world();
    let asked = 0;
    memory.onJudge = () => {
      if (++asked === 11) throw new Error('killed');
    };
    await expect(run()).rejects.toThrow('killed');
    expect(kept).toMatchObject({ state: 'running', done: 8 });
    await run();
    expect(new Set(done()).size).toBe(20);
    expect(done().length - new Set(done()).size).toBeLessThan(4);
    expect(kept).toMatchObject({ state: 'completed', done: 20 });
  });

  it('waits where the model is away, and has failed with its cause after the last attempt', async () => {
    const { kept, run, memory } = world();
    memory.onJudge = () => {
      throw new ModelUnavailable(1_000);
    };
    await expect(run(5)).rejects.toThrow(RetryLater);
    expect(kept).toMatchObject({ state: 'running', done: 0 });
    memory.onJudge = () => {
      throw new Error('this email breaks it');
    };
    await run(5);
    expect(kept).toMatchObject({ state: 'failed', cause: 'this email breaks it' });
    memory.onJudge = () => undefined;
    await run();
    expect(memory.recorded).toEqual([]);
  });

  it('passes over an email that the model cannot bear, in its last attempt: the others get their labels', async () => {
    const { kept, run, memory, done } = world();
    let asked = 0;
    memory.onJudge = () => {
      if (++asked === 7) throw new Error('this email breaks it');
    };
    await run(5);
    expect(new Set(done()).size).toBe(19);
    expect(kept).toMatchObject({ state: 'completed', done: 20 });
    expect(kept.cause).toContain('this email breaks it');
  });
});
