import { describe, expect, it } from '@jest/globals';
import type { IndexSpec } from '@postroom/mail-store/indexes';
import { dropIndexes } from '@postroom/mail-store/migrations/step';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { useMigrationWorld } from './migrate.ts';

const first = { title: 'the first', parts: [] };
const second = { title: 'the second', parts: [] };
const byName: IndexSpec = { name: 'by_name', key: { workspaceId: 1, name: 1 }, unique: true };
const byAge: IndexSpec = { name: 'by_age', key: { workspaceId: 1, age: -1 } };
const declaring = (...items: IndexSpec[]) => ({ items });

const world = useMigrationWorld();

describe('the indexes of the list', () => {
  it('are made where they are missing, and left alone where they are there', async () => {
    const { events } = await world.run({ steps: [first], declared: declaring(byName) });
    expect(events.map(({ at }) => at)).toEqual(['step begun', 'step done', 'index made', 'version recorded']);
    await world.connection.collection('items').dropIndex('by_name');
    const again = await world.run({ steps: [first], declared: declaring(byName, byAge) });
    expect(again.events.map(({ at }) => at)).toEqual(['index made', 'index made', 'version recorded']);
    expect(again).toMatchObject({ version: 1, collections: 1, indexes: 2, refused: 0, foreign: [] });
    const repeated = await world.run({ steps: [first], declared: declaring(byName, byAge) });
    expect(repeated.events.map(({ at }) => at)).toEqual(['version recorded']);
  });

  it('are replaced where they changed under their own name, behind a bridge that keeps a unique key unique', async () => {
    await world.run({ steps: [first], declared: declaring(byName, byAge) });
    const items = world.connection.collection<{ _id: string }>('items');
    await items.insertOne({ _id: 'a', workspaceId: 'w', name: 'x', kind: 'k' } as never);
    const changed = { ...byName, key: { workspaceId: 1, kind: 1, name: 1 } as const };
    const refusals: unknown[] = [];
    const { events } = await world.run({
      steps: [first, second],
      declared: declaring(changed, byAge),
      onProgress: async ({ at }) => {
        const twin = { _id: `twin at ${at}`, workspaceId: 'w', name: 'x', kind: 'k' } as never;
        refusals.push(
          await items.insertOne(twin).then(
            () => at,
            ({ code }: { code: number }) => code,
          ),
        );
      },
    });
    expect(events.map(({ at }) => at).slice(2, -1)).toEqual([
      'bridge made',
      'index dropped',
      'index made',
      'bridge dropped',
    ]);
    expect([...new Set(refusals)]).toEqual([11000]);
    expect(await world.indexesOf('items')).toEqual({
      by_age: { key: { workspaceId: 1, age: -1 } },
      by_name: { key: { workspaceId: 1, kind: 1, name: 1 }, unique: true },
    });
  });

  it('end up the same wherever a migration is killed, and are never fewer than the two of a name', async () => {
    const before = declaring(byName, byAge, { name: 'old', key: { workspaceId: 1, old: 1 } });
    const after = declaring({ ...byName, unique: undefined } as IndexSpec, { ...byAge, key: { age: 1 } });
    const steps = [first, { title: 'drops', parts: [dropIndexes('items' as never, 'old')] }];
    let kills = 0;
    for (let isKilled = true; isKilled; kills++) {
      await world.connection.dropDatabase();
      await world.run({ steps: [first], declared: before });
      isKilled = await world.runUntil(kills, { steps, declared: after });
      const names = Object.keys(await world.indexesOf('items')).map((name) => name.replace('~', ''));
      expect(names).toEqual(expect.arrayContaining(['by_age', 'by_name']));
      await world.run({ steps, declared: after });
      expect(await world.indexesOf('items')).toEqual({
        by_age: { key: { age: 1 } },
        by_name: { key: { workspaceId: 1, name: 1 } },
      });
    }
    expect(kills).toBeGreaterThan(8);
  });

  it('do not drive out those that nobody here knows: these are named, and stay', async () => {
    await world.run({ steps: [first], declared: declaring(byName) });
    await world.connection.collection('items').createIndex({ theirs: 1 }, { name: 'theirs' });
    expect(await world.run({ steps: [first], declared: declaring(byName) })).toMatchObject({
      foreign: ['items.theirs'],
    });
    expect(Object.keys(await world.indexesOf('items'))).toEqual(['by_name', 'theirs']);
  });

  whenDatabaseHas('partialIndexes')('are replaced where only their condition or expiry changed', async () => {
    const living: IndexSpec = { name: 'living', key: { workspaceId: 1, name: 1 }, only: { deletedAt: null } };
    const expiry: IndexSpec = { name: 'expiry', key: { expiresAt: 1 } };
    await world.run({ steps: [first], declared: declaring(living, expiry) });
    const until = { deletedAt: { $gt: new Date(0) } };
    const declared = declaring({ ...living, only: until }, { ...expiry, expires: true });
    await world.run({ steps: [first, second], declared });
    expect(await world.indexesOf('items')).toEqual({
      expiry: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
      living: { key: { workspaceId: 1, name: 1 }, partialFilterExpression: until },
    });
    expect((await world.run({ steps: [first, second], declared })).events).toHaveLength(1);
  });
});
