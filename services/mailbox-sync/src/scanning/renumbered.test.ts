import { describe, expect, it } from '@jest/globals';
import { keptFolder } from './kept-folder.test-support.ts';

describe.each([
  ['that tells what has gone', true],
  ['that does not', false],
])('a folder whose UIDs begin anew, at a server %s', (_, hasQresync) => {
  it.each([
    ['some of its mail', [1, 2, 3]],
    ['none of its mail', []],
  ])('is compared once, with all its mail taken in, where it has %s left', async (_left, uids) => {
    const server = { uidValidity: 1, uids: [1, 2, 3, 4, 5], hasQresync };
    const { listings, forgotten, keepUp, state } = keptFolder(server);
    await keepUp();
    listings.length = 0;
    Object.assign(server, { uidValidity: 2, uids });
    state.isDue = true;
    await keepUp();
    expect(forgotten).toEqual([2]);
    expect(listings).toMatchObject([{ uidValidity: 2, isTakenIn: true }]);
    state.isDue = true;
    await keepUp();
    expect(listings).toHaveLength(1);
  });
});
