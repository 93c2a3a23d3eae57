import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keptForAWhile } from '@postroom/mail-store/migrations/0027-kept-for-a-while';
import type { MigrationStep } from '@postroom/mail-store/migrations/step';
import { type MigrationWorld, openMigrationWorld } from './migrate.ts';

const declared = { backfillJobs: [], setAside: [], setAsidePieces: [] };
const first: MigrationStep = { title: 'the first', parts: [] };
const at = new Date('2026-01-01T00:00:00Z');
const afterDays = (days: number) => new Date(at.getTime() + days * 86_400_000);

let world: MigrationWorld;
beforeAll(async () => {
  world = await openMigrationWorld();
});
afterAll(() => world.close());

it('backfills and messages set aside before expire as those of now do, pieces behind their message', async () => {
  await world.run({ steps: [first], declared });
  const insert = (name: string, ...documents: object[]) =>
    world.connection.collection(name).insertMany(documents.map((document) => ({ workspaceId: 'wsp_1', ...document })));
  const before: object[] = [{ _id: 'old', updatedAt: at, createdAt: at }];
  await insert('backfillJobs', ...before, { _id: 'new', updatedAt: at, expiresAt: afterDays(1) });
  await insert('setAside', ...before);
  await insert('setAsidePieces', { _id: 'old:0', setAsideId: 'old' }, { _id: 'orphan:0', setAsideId: 'orphan' });
  await world.run({ steps: [first, keptForAWhile], declared });
  const expiries = async (name: string) =>
    (await world.connection.collection(name).find().sort({ _id: -1 }).toArray()).map(({ expiresAt }) => expiresAt);
  expect(await expiries('backfillJobs')).toEqual([afterDays(90), afterDays(1)]);
  expect(await expiries('setAside')).toEqual([afterDays(180)]);
  expect(await expiries('setAsidePieces')).toEqual([undefined, afterDays(181)]);
});
