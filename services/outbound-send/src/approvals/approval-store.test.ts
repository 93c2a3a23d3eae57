import { expect, it } from '@jest/globals';
import { createApprovalStore, type WaitingSend } from './approval-store.ts';

const waiting = { _id: 'snd_1', workspaceId: 'wsp_1', epoch: 3, state: 'awaiting_approval', approval: { id: 'apr_1' } };

/** A collection of one send, which knows equality alone. */
function storeOf(stored: object) {
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], stored);
  const updateOne = async (where: object, { $set }: { $set: object }) => {
    const isMatch = Object.entries(where).every(([path, value]) => valueAt(path) === value);
    if (isMatch) Object.assign(stored, $set);
    return { matchedCount: Number(isMatch) };
  };
  return createApprovalStore({ sends: { updateOne } } as unknown as Parameters<typeof createApprovalStore>[0]);
}

const decide = (store: ReturnType<typeof storeOf>) =>
  store.decide('wsp_1', waiting as WaitingSend, { state: 'scheduled' }, { remainingMs: () => 1_000 });

it('of two decisions about one approval that were read at once, the first counts', async () => {
  const store = storeOf({ ...waiting });
  expect([await decide(store), await decide(store)]).toEqual([true, false]);
});

it.each([
  ['the send was canceled', { state: 'canceled' }],
  ['another approval was asked for', { approval: { id: 'apr_2' } }],
  ['somebody took the send up', { epoch: 4 }],
  ['the send is of another workspace', { workspaceId: 'wsp_2' }],
])('decides nothing where %s since the decision was read', async (_what, changed) => {
  expect(await decide(storeOf({ ...waiting, ...changed }))).toBe(false);
});
