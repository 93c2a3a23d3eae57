import { CommandError } from '../protocol/errors.ts';
import { type Change, type Collection, createCollection } from './collection.ts';

/** A change with where it happened. Creating and dropping are changes of the catalog itself. */
export type CatalogChange = { database: string; collection: string } & (Change | { kind: 'create' } | { kind: 'drop' });

export interface Catalog {
  collections: Map<string, Collection>;
  changed: (change: CatalogChange) => void;
}

export function createCatalog(): Catalog {
  return { collections: new Map(), changed: () => undefined };
}

export function findCollection(catalog: Catalog, database: string, name: string): Collection | undefined {
  return catalog.collections.get(`${database}.${name}`);
}

function assertNamespace(database: string, name: string): void {
  if (!/^[^/\\. "$\0]{1,63}$/.test(database)) throw new CommandError(73, `Invalid database name: '${database}'`);
  if (name === '' || name.includes('$') || name.includes('\0') || name.startsWith('.') || name.length > 200) {
    throw new CommandError(73, `Invalid collection name: '${name}'`);
  }
  if (name.startsWith('system.')) throw new CommandError(73, `'${name}' is reserved`);
}

export function openCollection(catalog: Catalog, database: string, name: string): Collection {
  const known = findCollection(catalog, database, name);
  if (known) return known;
  assertNamespace(database, name);
  const collection = createCollection(database, name);
  collection.changed = (change) => catalog.changed({ database, collection: name, ...change });
  catalog.collections.set(`${database}.${name}`, collection);
  catalog.changed({ database, collection: name, kind: 'create' });
  return collection;
}

export function dropCollection(catalog: Catalog, collection: Collection): void {
  const { database, name } = collection;
  catalog.collections.delete(`${database}.${name}`);
  catalog.changed({ database, collection: name, kind: 'drop' });
}

export function collectionsOfDatabase(catalog: Catalog, database: string): Collection[] {
  return [...catalog.collections.values()].filter((collection) => collection.database === database);
}
