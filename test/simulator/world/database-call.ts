import mongoose from 'mongoose';
import type { Document } from './driver-collection.ts';
import type { Process } from './process.ts';

const { MongoNetworkError, MongoServerError } = mongoose.mongo;
/** MongoDB's code. */
const OUT_OF_DISK_SPACE = 14031;
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** One command of a process: its effect is one step, and its answer another. A process may die before each of them. */
export function databaseCall(by: Process, collection: string, label: string, command: Document): Promise<Document> {
  const { world } = by;
  const { faults, trace, database, fullDisk } = world;
  const name = `${collection}.${label}`;
  return new Promise((resolve, reject) => {
    const answerLater = (answer: () => void) => void world.after(world.latency(), by, answer);
    world.after(world.latency(), by, async () => {
      if (faults.strikes('refusedQueries')) {
        trace.say(by.name, `${name}: the database refuses`);
        return answerLater(() => reject(new MongoNetworkError('connection refused')));
      }
      const kind = Object.keys(command)[0] ?? '';
      if (WRITES.has(kind) && world.now() >= fullDisk.from && world.now() < fullDisk.until) {
        trace.say(by.name, `${name}: the disk is full`);
        return answerLater(() =>
          reject(new MongoServerError({ message: 'the disk is full', code: OUT_OF_DISK_SPACE })),
        );
      }
      const reply = await database.run(command);
      if (WRITES.has(kind)) await database.written({ collection, command: kind, body: command, reply }, by);
      trace.say(by.name, `${name}: ${inWords(reply)}`);
      if (faults.strikes('lostQueryAnswers')) {
        trace.say(by.name, `${name}: the answer is lost`);
        return answerLater(() => reject(new MongoNetworkError('connection closed')));
      }
      if (Number(reply['ok']) !== 1) {
        const { errmsg, code } = reply as { errmsg: string; code: number };
        return answerLater(() => reject(new MongoServerError({ message: errmsg, code })));
      }
      answerLater(() => resolve(reply));
    });
  });
}

function inWords(reply: Document): string {
  const { ok, errmsg, cursor, value, n, writeErrors } = reply as {
    ok: number;
    errmsg?: string;
    cursor?: { firstBatch: unknown[] };
    value?: unknown;
    n?: number;
    writeErrors?: unknown[];
  };
  if (Number(ok) !== 1) return `fails (${errmsg})`;
  if (cursor) return `${cursor.firstBatch.length} found`;
  if (writeErrors) return `${n} written, ${writeErrors.length} refused`;
  if (value !== undefined) return value === null ? 'nothing matches' : 'one changed';
  return `${n} written`;
}
