import { missing } from '../bson/raw.ts';
import { encodeDocument } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { compileMatcher } from '../filter/matcher.ts';
import { collectionsOfDatabase, dropCollection, findCollection, openCollection } from '../storage/catalog.ts';
import { namespaceOf } from '../storage/collection.ts';
import { requireCollection } from './indexes.ts';
import { cursorReply } from './reply.ts';
import { type CommandHandler, collectionName, readFlagField } from './request.ts';

export const create: CommandHandler = {
  fields: [],
  run(request) {
    const name = collectionName(request);
    if (findCollection(request.state.catalog, request.database, name)) {
      throw new CommandError(48, `Collection ${request.database}.${name} already exists.`);
    }
    openCollection(request.state.catalog, request.database, name);
    return {};
  },
};

export const drop: CommandHandler = {
  fields: [],
  run(request) {
    const name = collectionName(request);
    // Since MongoDB 7.0 dropping what is not there is no error.
    if (!findCollection(request.state.catalog, request.database, name)) return {};
    const collection = requireCollection(request);
    dropCollection(request.state.catalog, collection);
    return { nIndexesWas: collection.indexes.length, ns: namespaceOf(collection) };
  },
};

export const dropDatabase: CommandHandler = {
  fields: [],
  run({ state, database }) {
    for (const collection of collectionsOfDatabase(state.catalog, database)) dropCollection(state.catalog, collection);
    return { dropped: database };
  },
};

export const listCollections: CommandHandler = {
  fields: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'],
  run(request) {
    const matches = compileMatcher(parseFilterValue(request.fields.get('filter') ?? missing));
    const brief = readFlagField(request.fields, 'nameOnly');
    const described = collectionsOfDatabase(request.state.catalog, request.database).map(({ name }) =>
      encodeDocument({
        name,
        type: 'collection',
        ...(brief ? {} : { options: {}, info: { readOnly: false }, idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } }),
      }),
    );
    return cursorReply('firstBatch', 0n, `${request.database}.$cmd.listCollections`, described.filter(matches));
  },
};

export const listDatabases: CommandHandler = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ state, fields }) {
    const matches = compileMatcher(parseFilterValue(fields.get('filter') ?? missing));
    const sizes = new Map<string, number>();
    for (const { database, arena } of state.catalog.collections.values()) {
      sizes.set(database, (sizes.get(database) ?? 0) + arena.liveBytes);
    }
    const databases = [...sizes]
      .map(([name, sizeOnDisk]) =>
        readFlagField(fields, 'nameOnly') ? { name } : { name, sizeOnDisk, empty: sizeOnDisk === 0 },
      )
      .filter((database) => matches(encodeDocument(database)));
    return { databases, totalSize: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
  },
};
