import { createState } from '@postroom/embedded/server/state';
import { createCatalog } from '@postroom/embedded/storage/catalog';
import { dispatch } from '@postroom/embedded/commands/dispatch';
import { type Collections, collectionNames, openCollections } from '@postroom/mail-store/collections';
import { indexes } from '@postroom/mail-store/indexes';
import { storedName } from '@postroom/mail-store/stored-names';
import mongoose from 'mongoose';
import { type Document, driverCollection, type RunCommand } from './driver-collection.ts';
import { currentProcess, type Process } from './process.ts';

interface Written {
  collection: string;
  command: string;
  body: Document;
  reply: Document;
}

export interface Database {
  run: RunCommand;
  /** Told of every write that a process made, at the moment of its effect. */
  onWrite(listener: (written: Written, by: Process) => Promise<void>): void;
  written(written: Written, by: Process): Promise<void>;
}

const { BSON } = mongoose.mongo;
const NAME = 'postroom';
const CONNECTION = { id: 1, legacy: false };

/** The command handler of the embedded database, called without a socket. Its documents live as long as one run. */
export function createDatabase(): Database {
  const state = createState(createCatalog());
  const listeners: ((written: Written, by: Process) => Promise<void>)[] = [];
  const known = createKnownAnswers();
  return {
    run: async (command) => {
      const bytes = BSON.serialize({ ...command, $db: NAME }, { ignoreUndefined: false });
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const answer = await known.of(command, body, () => dispatch(state, { body, sequences: new Map() }, CONNECTION));
      if (answer === 'close') throw new Error('the embedded database hung up');
      return BSON.deserialize(answer) as Document;
    },
    onWrite: (listener) => void listeners.push(listener),
    written: async (written, by) => {
      for (const listener of listeners) await listener(written, by);
    },
  };
}

const READS = new Set(['find', 'aggregate']);

/** Pods ask for rules, labels and mailboxes again and again. An answer stays true until a write to its collection. */
function createKnownAnswers() {
  const byCollection = new Map<unknown, Map<string, Buffer | 'close'>>();
  return {
    of: async (command: Document, body: Buffer, ask: () => Promise<Buffer | 'close'>): Promise<Buffer | 'close'> => {
      const [kind, collection] = Object.entries(command)[0] ?? [''];
      // After the write: a read that begins while it runs may have been answered from before it.
      if (!READS.has(kind)) return ask().finally(() => byCollection.delete(collection));
      const answers = byCollection.get(collection) ?? new Map<string, Buffer | 'close'>();
      byCollection.set(collection, answers);
      const key = body.toString('latin1');
      const answer = answers.get(key) ?? (await ask());
      answers.set(key, answer);
      return answer;
    },
  };
}

/** The unique indexes, which refuse writes. No answer depends on the others, and each costs time at every query. */
export async function makeUniqueIndexes({ run }: Database): Promise<void> {
  for (const name of collectionNames) {
    const wanted = indexes[name].filter(({ unique }) => unique);
    const described = wanted.map(({ name: index, key, only }) => {
      return { name: index, key, unique: true, ...(only && { partialFilterExpression: only }) };
    });
    if (described.length > 0) await run({ createIndexes: storedName(name), indexes: described });
  }
}

let opened: Collections | undefined;

/**
 * The models of mongoose, with all that it casts and fills in. They are made once, and each call goes to the database of
 * the process that makes it.
 */
export function simulatedCollections(): Collections {
  if (opened) return opened;
  const connection = mongoose.createConnection();
  // It has no client, so nobody finds it among the connections of the process.
  mongoose.connections.splice(mongoose.connections.indexOf(connection), 1);
  connection.set('autoIndex', false);
  connection.set('autoCreate', false);
  // Mongoose holds calls back until its connection is open. This one has no other side.
  const db = { collection: (name: string) => driverCollection(name, callerOf) };
  Object.assign(connection, { db, _hasOpened: true, _readyState: mongoose.ConnectionStates.connected });
  opened = openCollections(connection);
  return opened;
}

function callerOf(): Process {
  const process = currentProcess();
  if (!process) throw new Error('a query outside of every process');
  return process;
}
