import { encodeValue } from '../bson/value.ts';
import { changeMatching } from './target.ts';
import { createOperation } from '../protocol/operation.ts';
import { type Filter, allOf } from '../filter/ast.ts';
import type { Catalog } from '../storage/catalog.ts';
import { type Collection, deleteDocument } from '../storage/collection.ts';
import type { Index } from '../storage/document-index.ts';
import { keyOf } from '../bson/key.ts';

/** Documents whose date is longer ago than the index allows, and which the index contains. */
function expired({ fields, spec, partial }: Index, now: number): Filter {
  const operand = encodeValue(new Date(now - (spec.expireAfterSeconds ?? 0) * 1000));
  const [field] = fields;
  if (!field) throw new Error('an index without fields');
  const old: Filter = { kind: 'test', test: { path: field.path, op: 'lte', operand, key: keyOf(operand) } };
  return allOf(partial ? [old, partial.filter] : [old]);
}

async function sweepIndex(collection: Collection, index: Index, now: number): Promise<void> {
  const operation = createOperation(0, 0);
  const hint = encodeValue(index.spec.name);
  const target = { collection, filter: expired(index, now), sort: [], hint, multi: true, operation };
  await changeMatching(target, (record) => deleteDocument(collection, record));
}

/** Removes what has expired, in the background like anything else that takes its time. */
export async function sweepExpired(catalog: Catalog, now: number): Promise<void> {
  for (const collection of catalog.collections.values()) {
    for (const index of collection.indexes) {
      if (index.ready && index.spec.expireAfterSeconds !== undefined) await sweepIndex(collection, index, now);
    }
  }
}
