import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { units } from '@postroom/mail-store/migrations/0021-units';
import type { MigrationStep } from '@postroom/mail-store/migrations/step';
import { type MigrationWorld, openMigrationWorld } from './migrate.ts';

const declared = { idempotencyRecords: [] };
const first: MigrationStep = { title: 'the first', parts: [] };

let world: MigrationWorld;
beforeAll(async () => {
  world = await openMigrationWorld();
});
afterAll(() => world.close());

it('answers kept by the version before are replayed at what they had used; open calls and new answers stay', async () => {
  const kept = (id: string, answer: object | null) => ({ _id: id, workspaceId: 'wsp_1', fingerprint: 'f', answer });
  const said = { status: 200, body: '{}' };
  await world.run({ steps: [first], declared });
  const records = world.connection.collection<{ _id: string }>('idempotencyRecords');
  await records.insertMany([
    kept('a_old', { ...said, cost: 7 }),
    kept('b_new', { ...said, units: 3 }),
    kept('c_open', null),
  ]);
  await world.run({ steps: [first, units], declared });
  expect(await records.find().sort({ _id: 1 }).toArray()).toEqual([
    kept('a_old', { ...said, units: 7 }),
    kept('b_new', { ...said, units: 3 }),
    kept('c_open', null),
  ]);
});
