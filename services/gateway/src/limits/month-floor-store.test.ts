import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FloorStore } from '@postroom/limits/month-floors';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { createMonthFloorStore } from './month-floor-store.ts';

const context = createServiceContext({ name: 'gateway', log: silentLog });
const monthEnds = Date.UTC(2026, 6, 1);
let floors: FloorStore;
beforeAll(async () => {
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  context.lifecycle.add('test database', () => store.connection.dropDatabase());
  await migrate(store.connection, context);
  floors = createMonthFloorStore(store.collections);
});
afterAll(() => context.lifecycle.close());

it('a floor only rises, and is that of another key, of this month, of this workspace', async () => {
  const born = 1_782_000_000_000_001;
  const keep = (workspaceId: string, used: number, more: object = {}) => ({
    workspaceId,
    monthEnds,
    born,
    used,
    ...more,
  });
  await floors.keepAll([keep('a', 70), keep('b', 900), keep('a', 800, { monthEnds: monthEnds + 1 })]);
  await floors.keepAll([keep('a', 60), keep('a', 10, { born: born + 1 })]);
  expect(await floors.highest('a', { monthEnds, born: born + 2 })).toEqual({ monthEnds, born, used: 70 });
  expect(await floors.highest('a', { monthEnds, born })).toEqual({ monthEnds, born: born + 1, used: 10 });
  expect(await floors.highest('c', { monthEnds, born: 0 })).toBeUndefined();
});
