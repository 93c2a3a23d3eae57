import type { Model } from 'mongoose';
import { type CollectionName, collectionNames, type Collections, isWrittenBy, type WrittenBy } from './collections.ts';
import { lazyRecord } from './lazy-record.ts';

/** The part of a model that cannot change a document. */
type Reading = 'find' | 'findOne' | 'countDocuments' | 'estimatedDocumentCount' | 'db';
/** The driver's own collection, for reads that mongoose would make dearer. */
export type DriverReading = Pick<Model<unknown>['collection'], 'find' | 'name'>;
type ReadModel<M> = Pick<M, Reading & keyof M> & { collection: DriverReading };

/** Collections that a store changes. Its service is the only one that may. */
export type Writes<Name extends CollectionName> = Pick<Collections, Name>;
/** Collections that a store only reads, whoever writes them. */
export type Reads<Name extends CollectionName> = { [N in Name]: ReadModel<Collections[N]> };

/** All collections as one service has them: its own to write, the others to read. */
export type CollectionsOf<W> = Writes<WrittenBy<W>> & Reads<Exclude<CollectionName, WrittenBy<W>>>;

/** Takes the writing calls away from every collection of another service, so that a cast in between changes nothing. */
export function collectionsOf<W extends string>(collections: Collections, writer: W): CollectionsOf<W> {
  const access = (name: CollectionName) =>
    isWrittenBy(name, writer) ? collections[name] : readOnly(collections[name] as unknown as Model<unknown>);
  return lazyRecord(collectionNames, access) as unknown as CollectionsOf<W>;
}

function readOnly(model: Model<unknown>): ReadModel<Model<unknown>> {
  const { collection } = model;
  return {
    db: model.db,
    find: model.find.bind(model),
    findOne: model.findOne.bind(model),
    countDocuments: model.countDocuments.bind(model),
    estimatedDocumentCount: model.estimatedDocumentCount.bind(model),
    collection: { name: collection.name, find: collection.find.bind(collection) },
  };
}
