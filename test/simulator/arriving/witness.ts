import type { Document } from '../world/driver-collection.ts';
import { FARTHEST_CLOCK_MS } from '../world/process.ts';
import type { World } from '../world/world.ts';

interface StoredMail {
  emailId: string;
  threadId: string;
  /** The number of the write that stored it, and of the one that put it into its thread. */
  number: number;
  inThreadSince: number;
  at: number;
  /** Of what waits in one thread, the lower comes first. */
  order: readonly [number, number];
}

export interface Witness {
  stored: ReadonlyMap<string, StoredMail>;
  /** The times at which each email was classified. */
  classified: ReadonlyMap<string, readonly number[]>;
  /** Faults that show at the moment of a write: emails that were overtaken, and leases that were taken while they were held. */
  overtaken: readonly string[];
  takenTwice: readonly string[];
}

interface StoredEmail extends Document {
  _id: string;
  workspaceId: string;
  threadId: string;
  subject: string;
  awaitsClassificationSince?: Date;
  classification?: { order?: number };
}

const SHOWN = { workspaceId: 1, threadId: 1, subject: 1 } as const;

interface Change {
  $set?: Record<string, unknown>;
}

interface Update {
  q: { _id?: unknown };
  u: Change;
}

/** Sees every write to emails at the moment of its effect, whichever process makes it. */
export function openWitness(world: World): Witness {
  const mails = createStoredMails(world.now);
  const { stored } = mails;
  const classified = new Map<string, number[]>();
  const overtaken: string[] = [];
  const leases = watchLeases(world);
  const { database } = world;

  const find = async (filter: Document): Promise<StoredEmail[]> => {
    const { cursor } = await database.run({ find: 'emails', filter, projection: SHOWN, batchSize: 1_000 });
    return (cursor as { firstBatch: StoredEmail[] }).firstBatch;
  };
  /** Emails that an operator retries wait behind the others of their threads. */
  const seeRetried = async ([update]: Update[]): Promise<void> => {
    const since = update?.u.$set?.['awaitsClassificationSince'];
    if (!(since instanceof Date)) return;
    for (const { _id } of await find({ awaitsClassificationSince: since, classification: { $exists: false } }))
      mails.putBehind(_id, since);
  };
  database.onWrite(async ({ collection, command, body, reply }) => {
    if (collection !== 'emails') return;
    if (command === 'update') {
      leases.see(body, reply);
      mails.move(body['updates'] as Update[]);
      await seeRetried(body['updates'] as Update[]);
    }
    if (command === 'insert') {
      const refused = new Set(((reply['writeErrors'] as { index: number }[]) ?? []).map(({ index }) => index));
      mails.keep((body['documents'] as StoredEmail[]).filter((_, n) => !refused.has(n)));
    }
    const { _id } = (reply['value'] ?? {}) as Partial<StoredEmail>;
    const isClassified = (body['update'] as Change | undefined)?.$set?.['classifiedAt'] !== undefined;
    if (_id === undefined || !isClassified) return;
    classified.set(_id, [...(classified.get(_id) ?? []), world.now()]);
    const [email] = await find({ _id });
    const own = stored.get(_id);
    if (!email || !own) return;
    const { workspaceId, threadId } = email;
    const waiting = await find({ workspaceId, threadId, awaitsClassificationSince: { $gt: new Date(0) } });
    for (const other of waiting.filter((one) => mails.isOvertaken(one, own)))
      overtaken.push(`"${email.subject}" was classified before "${other.subject}", which came earlier in its thread`);
  });
  return { stored, classified, overtaken, takenTwice: leases.takenTwice };
}

/** Counts the writes that store emails or move them between threads. */
function createStoredMails(now: () => number) {
  const stored = new Map<string, StoredMail>();
  let number = 0;
  return {
    stored,
    keep: (emails: readonly StoredEmail[]): void => {
      number += 1;
      for (const { _id, threadId, awaitsClassificationSince, classification } of emails) {
        const order = [awaitsClassificationSince?.getTime() ?? 0, classification?.order ?? 0] as const;
        stored.set(_id, { emailId: _id, number, threadId, inThreadSince: number, at: now(), order });
      }
    },
    move: (updates: readonly Update[]): void => {
      number += 1;
      for (const { q, u } of updates) {
        const [email, threadId] = [stored.get(String(q._id)), u.$set?.['threadId']];
        if (email && typeof threadId === 'string' && threadId !== email.threadId)
          stored.set(email.emailId, { ...email, threadId, inThreadSince: number });
      }
    },
    putBehind: (emailId: string, since: Date): void => {
      const email = stored.get(emailId);
      if (email) stored.set(emailId, { ...email, order: [since.getTime(), 0] });
    },
    /**
     * An email is overtaken where a later one of its thread is classified while it waits. Threads are joined while their
     * emails are classified, so both emails have to be in the thread since the later one was stored.
     */
    isOvertaken: ({ _id }: StoredEmail, by: StoredMail): boolean => {
      const other = stored.get(_id);
      if (!other || other.inThreadSince > by.number || by.inThreadSince > by.number) return false;
      return other.order[0] < by.order[0] || (other.order[0] === by.order[0] && other.order[1] < by.order[1]);
    },
  };
}

interface Held {
  until: number;
  attempts: number;
  isHeld: boolean;
}

/**
 * An attempt that begins is stored with this cause, and with one attempt more than its classifier has read: two that read
 * the same store the same. Its end may put back both, and then the number is lower than that of the attempt.
 */
const BEGUN = 'the classifier ended during the attempt';
/** The clocks of two pods differ by so much at the most. */
const BETWEEN_CLOCKS_MS = 2 * FARTHEST_CLOCK_MS;

/** A lease is taken by the write that counts an attempt. Nobody may take it before its time is over. */
function watchLeases(world: World) {
  const leases = new Map<string, Held>();
  const takenTwice: string[] = [];
  const see = (body: Document, reply: Document): void => {
    const [{ q, u }] = body['updates'] as [Update];
    const { 'classification.notBefore': notBefore, 'classification.cause': cause, ...more } = u.$set ?? {};
    if (typeof q._id !== 'string' || !(notBefore instanceof Date) || Number(reply['n']) !== 1) return;
    const before = leases.get(q._id);
    const attempts = Number(more['classification.attempts'] ?? before?.attempts ?? 0);
    const begins = cause === BEGUN && attempts >= (before?.attempts ?? 1);
    if (begins && before?.isHeld && before.until > world.now() + BETWEEN_CLOCKS_MS)
      takenTwice.push(`the lease of ${q._id} was taken ${before.until - world.now()} ms before its end`);
    const isHeld = begins || (cause === undefined && before?.isHeld === true);
    leases.set(q._id, { until: notBefore.getTime(), attempts, isHeld });
  };
  return { see, takenTwice };
}
