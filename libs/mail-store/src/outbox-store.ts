import type { Ids } from '@postroom/runtime/ids';
import type { Model, mongo } from 'mongoose';
import type { PendingEventPart, HasOutbox } from './documents/outbox.ts';
import { QUERY_LIMIT } from './time-limit.ts';

interface Owner extends HasOutbox {
  _id: string;
}

interface PublishedEvent {
  ownerId: string;
  name: string;
  event: Pick<PendingEventPart, 'id'>;
}

interface Claimed {
  ownerId: string;
  claim?: string;
}

const NEVER = new Date(0);
/** Removes these fields from a document without pending events, so that it leaves the index. */
const NOTHING_PENDING = { $unset: { owedSince: '', owedOrder: '', outboxClaim: '' } } as const;
const LONGEST_UNTOUCHED = { owedSince: 1, owedOrder: 1, _id: 1 } as const;

/** The documents of one collection, in all workspaces, that have pending events. The relay of libs/events uses it. */
export function createOutboxStore(model: Pick<Model<unknown>, 'collection'>, { ids }: { ids: Ids }) {
  const owners = model.collection as unknown as mongo.Collection<Owner>;

  return {
    name: owners.collectionName,

    count(limit: number): Promise<number> {
      return owners.countDocuments({ owedSince: { $gt: NEVER } }, { ...QUERY_LIMIT, limit });
    },

    /** All claimed documents get the same `owedSince`, so the next claim sorts them by `owedOrder`. */
    async claim(untouchedSince: Date, now: Date, limit: number) {
      const untouched = { owedSince: { $gt: NEVER, $lte: untouchedSince } };
      const options = { projection: { _id: 1 }, ...QUERY_LIMIT };
      const found = await owners.find(untouched, options).sort(LONGEST_UNTOUCHED).limit(limit).toArray();
      if (found.length === 0) return [];
      const outboxClaim = ids('clm');
      const wanted = { _id: { $in: found.map(({ _id }) => _id) } };
      await owners.updateMany({ ...wanted, ...untouched }, { $set: { owedSince: now, outboxClaim } }, QUERY_LIMIT);
      const claimed = await owners
        .find({ ...wanted, outboxClaim }, { projection: { outbox: 1, owedOrder: 1 }, ...QUERY_LIMIT })
        .toArray();
      // A crash within `settle` removed the events of these documents and left the other fields.
      const done = claimed.filter((owner) => !pending(owner)).map(({ _id }) => _id);
      if (done.length > 0) await owners.updateMany({ _id: { $in: done }, outbox: {} }, NOTHING_PENDING, QUERY_LIMIT);
      return claimed.filter(pending).map((owner) => ({ ...toOutboxEntry(owner), claim: outboxClaim }));
    },

    async touch(ownerIds: readonly string[], until: Date): Promise<void> {
      const pending = { _id: { $in: [...ownerIds] }, owedSince: { $gt: NEVER } };
      await owners.updateMany(pending, { $set: { owedSince: until } }, QUERY_LIMIT);
    },

    async hold(claimed: readonly Claimed[], until: Date): Promise<void> {
      await owners.updateMany(unchanged(claimed), { $set: { owedSince: until } }, QUERY_LIMIT);
    },

    /** An event that its writer put off is no claim: an email that another process removes now is still there. */
    async release(now: Date, untouchedSince: Date): Promise<void> {
      const held = { owedSince: { $gt: now }, outboxClaim: { $gt: '' } };
      await owners.updateMany(held, { $set: { owedSince: untouchedSince } }, QUERY_LIMIT);
    },

    /**
     * One ordered bulk write: an event that arrives between its steps keeps its document in the index. Other updates of the
     * collection may go along.
     */
    async markPublished(published: readonly PublishedEvent[], others: readonly object[] = []): Promise<void> {
      const filter = { _id: { $in: [...new Set(published.map(({ ownerId }) => ownerId))] }, outbox: {} };
      const steps = [...taking(published), { updateMany: { filter, update: NOTHING_PENDING } }, ...others];
      await owners.bulkWrite(steps as mongo.AnyBulkWriteOperation<Owner>[], { ordered: true, ...QUERY_LIMIT });
    },
  };
}

/** Claimed documents that have got no event since. */
function unchanged(claimed: readonly Claimed[]) {
  const claims = new Set(claimed.flatMap(({ claim }) => claim ?? []));
  return { _id: { $in: claimed.map(({ ownerId }) => ownerId) }, outboxClaim: { $in: [...claims] } };
}

function pending({ outbox }: Owner): boolean {
  return Object.keys(outbox).length > 0;
}

function taking(published: readonly PublishedEvent[]): mongo.AnyBulkWriteOperation<Owner>[] {
  const names = [...new Set(published.map(({ name }) => name))];
  return names.map((name) => {
    const events = published.filter((event) => event.name === name);
    return takeOff(name, events);
  });
}

function takeOff(name: string, event: readonly PublishedEvent[]): mongo.AnyBulkWriteOperation<Owner> {
  const filter = {
    _id: { $in: event.map(({ ownerId }) => ownerId) },
    [`outbox.${name}.id`]: { $in: event.map(({ event }) => event.id) },
  };
  return { updateMany: { filter, update: { $unset: { [`outbox.${name}`]: '' } } } };
}

/** The form that the relay reads. */
export function toOutboxEntry(owner: Owner) {
  const events = Object.entries(owner.outbox).map(([name, event]) => [name, { ...event, value: bytesOf(event.value) }]);
  return {
    ownerId: owner._id,
    events: Object.fromEntries(events) as Record<string, PendingEventPart>,
    ...(owner.owedOrder !== undefined && { order: owner.owedOrder }),
  };
}

/** The driver returns stored bytes as `Binary`. */
function bytesOf(value: Uint8Array | mongo.Binary): Uint8Array {
  return value instanceof Uint8Array ? value : value.buffer.subarray(0, value.position);
}
