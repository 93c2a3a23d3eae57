import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { collectionsOf, type CollectionsOf } from './access.ts';
import { openCollections } from './collections.ts';

const connection = createConnection();
let collections: CollectionsOf<'forwarder'>;

beforeAll(() => {
  collections = collectionsOf(openCollections(connection), 'forwarder');
});

afterAll(() => connection.close());

it('gives a service no call that changes a collection of another one, nor lets one compile', () => {
  // @ts-expect-error: the forwarder only reads emails.
  expect(collections.emails.deleteMany).toBeUndefined();
  // @ts-expect-error: the driver's collection does not write either.
  expect(collections.emails.collection.insertOne).toBeUndefined();
  expect(collections.emails.find).toBeDefined();
});

it('gives a service all calls of its own collections', () => {
  const own = collectionsOf(openCollections(createConnection()), 'mailbox-write');
  expect(own.emails.deleteMany).toBeDefined();
});

it('gives a service nothing to write but its own collections, audit entries and dead letters', () => {
  const writable = Object.entries(collections).filter(([, model]) => 'updateOne' in model);
  expect(writable.map(([name]) => name)).toEqual(['forwardAttempts', 'auditEntries', 'deadLetters']);
});

it('builds a model when it is first read, and once', () => {
  const fresh = createConnection();
  const own = collectionsOf(openCollections(fresh), 'mailbox-write');
  expect(fresh.modelNames()).toEqual([]);
  expect([own.emails, own.emails.modelName]).toEqual([own.emails, 'emails']);
  expect(own.labels).toBe(own.labels);
  expect(fresh.modelNames()).toEqual(['emails', 'labels']);
});
