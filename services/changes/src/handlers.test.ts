import { expect, it } from '@jest/globals';
import type { Call } from '@postroom/rpc/call';
import { readCursor, writeCursor } from './cursors/cursors.ts';
import type { Deps } from './deps.ts';
import { createHandlers } from './handlers.ts';

const call = { workspaceId: 'wsp_1' } as Call;

it('no cursor stands behind a change that a failover can take back: its number would mean another one later', async () => {
  const kept = { _id: 'evt_7', seq: 7, event: 'email.deleted', createdAt: new Date(0), data: {} };
  const changes = { page: async () => [kept], head: async () => 8, visibleHead: async () => 7 };
  const { listChanges } = createHandlers({ changes } as unknown as Deps);
  const { nextCursor, nextSeq } = await listChanges({ since: { $case: 'now', value: true }, limit: 1 }, call);
  expect([nextSeq, readCursor('wsp_1', nextCursor)]).toEqual([7, 7]);

  const since = { $case: 'cursor', value: writeCursor('wsp_1', 3) } as const;
  const refusal = listChanges({ since, limit: 1 }, call);
  const expired = await refusal.catch(
    (error: unknown) => error as { code: string; details: { currentCursor: string } },
  );
  expect(expired).toMatchObject({ code: 'CHANGES_EXPIRED', details: { currentCursor: writeCursor('wsp_1', 7) } });
});

it('nobody who waits is told of a change before the pages show it', async () => {
  let visible = 7;
  const [told, tell] = [new AbortController(), () => told.abort()];
  const over = new Promise<void>((resolve) => told.signal.addEventListener('abort', () => resolve()));
  const changes = { head: async () => 8, visibleHead: async () => visible };
  const { watchChanges } = createHandlers({
    changes,
    changeWaiters: { wait: () => ({ over, end: tell }) },
  } as unknown as Deps);
  const waiting = watchChanges({ seq: 7, waitMs: 1_000 }, { ...call, remainingMs: () => 1_000 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(told.signal.aborted).toBe(false);
  visible = 8;
  tell();
  expect(await waiting).toEqual({ seq: 8 });
});
