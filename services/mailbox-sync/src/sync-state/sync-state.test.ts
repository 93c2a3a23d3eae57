import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import type { Call } from '@postroom/rpc/call';
import type { Deps } from '../deps.ts';
import { stateHandlers } from './sync-state.ts';

const CALL = { workspaceId: 'wsp_1' } as Call;

/** A mailbox with an inbox that was counted with 4,607 messages at first. */
function stateOf(sync: { done: number; lowestDone: number }) {
  const folders = [{ id: 'fld_1', name: 'INBOX', type: 'INBOX', path: 'INBOX' }];
  const stores = {
    mailboxes: { find: async () => ({ folders, lastSyncedAt: null }) },
    folderSyncs: { find: async () => [{ _id: 'fld_1', uidValidity: 1, total: 4_607, ...sync }] },
    syncRequests: { isHeld: async () => true },
  };
  const handlers = stateHandlers({ stores, context: { clock: manualClock() } } as unknown as Deps);
  return handlers.getSyncState({ mailboxId: 'mbx_1' }, CALL);
}

it('a folder that is complete has as many messages as were taken in, however many were counted at first', async () => {
  expect((await stateOf({ done: 521, lowestDone: 1 })).folders).toMatchObject([
    { name: 'INBOX', done: 521, total: 521, isComplete: true },
  ]);
});

it('a folder that is not complete has as many messages as were counted', async () => {
  expect((await stateOf({ done: 521, lowestDone: 77 })).folders).toMatchObject([
    { name: 'INBOX', done: 521, total: 4_607, isComplete: false },
  ]);
});
