import { expect, it } from '@jest/globals';
import { createBatches } from './batches.ts';
import type { NewChange } from './new-change.ts';

const change = (_id: string) => ({ _id }) as NewChange;
const ends = (all: Promise<void>[]) => Promise.allSettled(all).then((ended) => ended.map(({ status }) => status));

function batchesThatFail(fails: (ids: readonly string[]) => Error | undefined) {
  const tried: string[][] = [];
  const add = createBatches(async (_workspaceId, changes) => {
    const ids = changes.map(({ _id }) => _id);
    tried.push(ids);
    const error = fails(ids);
    if (error) throw error;
    return 1;
  });
  return { tried, add: (...ids: string[]) => ends(ids.map((id) => add('wsp_1', change(id)))) };
}

it('an event that fails keeps no other out of the feed', async () => {
  const { add, tried } = batchesThatFail((ids) => (ids.includes('bad') ? new Error('it is bad') : undefined));
  expect(await add('one', 'bad', 'other')).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(tried).toEqual([['one', 'bad', 'other'], ['one'], ['bad'], ['other']]);
});

it('a batch waits as one while the database is unavailable: its events do not wait one behind the other', async () => {
  const { add, tried } = batchesThatFail(() => Object.assign(new Error('gone'), { name: 'MongoNetworkError' }));
  expect(await add('one', 'other')).toEqual(['rejected', 'rejected']);
  expect(tried).toEqual([['one', 'other']]);
});
