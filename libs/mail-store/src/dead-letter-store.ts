import type { Model } from 'mongoose';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { DeadLetterDocument } from './documents/dead-letter.ts';
import { DEAD_LETTER_KEPT_MS } from './kept-for.ts';
import { QUERY_LIMIT } from './time-limit.ts';

type Facts = Omit<DeadLetterDocument, '_id' | 'eventId' | 'value' | 'replayId' | 'replayUntil' | 'expiresAt'> & {
  id: string;
  value: Uint8Array;
};

/** Those of one topic, or of all. Without ids every event. */
interface DeadLetterFilter {
  topic?: string | undefined;
  ids?: readonly string[] | undefined;
  workspaceId?: string | undefined;
  /** Those that were given up until then. */
  until: Date;
}

const NO_REPLAY = { replayId: '', replayUntil: new Date(0) } as const;
const OLDEST_FIRST = { givenUpAt: 1, _id: 1 } as const;

export type DeadLetterStore = ReturnType<typeof createDeadLetterStore>;

/** The only code that writes dead letters. Consumers add theirs; operators list, replay and drop those of all groups. */
export function createDeadLetterStore({ deadLetters }: { deadLetters: Model<DeadLetterDocument> }) {
  return {
    async add({ id: eventId, value, ...facts }: Facts): Promise<void> {
      const expiresAt = new Date(facts.givenUpAt.getTime() + DEAD_LETTER_KEPT_MS);
      const _id = deterministicId('dlt', facts.topic, facts.group, eventId);
      const document = { ...facts, eventId, value: Buffer.from(value), ...NO_REPLAY, expiresAt };
      await deadLetters.updateOne({ _id }, { $set: document }, { upsert: true, ...QUERY_LIMIT });
    },

    list(filter: DeadLetterFilter, now: Date, limit: number): Promise<DeadLetterDocument[]> {
      return deadLetters
        .find(waiting(filter, now), null, QUERY_LIMIT)
        .sort(OLDEST_FIRST)
        .limit(limit)
        .lean<DeadLetterDocument[]>();
    },

    /** Takes the oldest for a replay. A replay that does not end lists them again after `replayUntil`. */
    async claim(filter: DeadLetterFilter, replay: Pick<DeadLetterDocument, 'replayId' | 'replayUntil'>, now: Date) {
      const free = waiting(filter, now);
      const found = await deadLetters
        .find(free, { _id: 1 }, QUERY_LIMIT)
        .sort(OLDEST_FIRST)
        .limit(MOST_CLAIMED)
        .lean<Pick<DeadLetterDocument, '_id'>[]>();
      if (found.length === 0) return [];
      const ids = { _id: { $in: found.map(({ _id }) => _id) } };
      await deadLetters.updateMany({ ...ids, replayUntil: free.replayUntil }, { $set: replay }, QUERY_LIMIT);
      return deadLetters
        .find({ ...ids, replayId: replay.replayId }, null, QUERY_LIMIT)
        .sort(OLDEST_FIRST)
        .lean<DeadLetterDocument[]>();
    },

    /** The event is published. A letter that the group has added again since stays. */
    async removeReplayed({ _id, replayId }: Pick<DeadLetterDocument, '_id' | 'replayId'>): Promise<void> {
      await deadLetters.deleteOne({ _id, replayId }, QUERY_LIMIT);
    },

    async endReplay(replayId: string): Promise<void> {
      await deadLetters.updateMany({ replayId }, { $set: NO_REPLAY }, QUERY_LIMIT);
    },

    async drop(filter: DeadLetterFilter, now: Date): Promise<number> {
      return (await deadLetters.deleteMany(waiting(filter, now), QUERY_LIMIT)).deletedCount;
    },
  };
}

/** An operator who has more repeats the command. */
const MOST_CLAIMED = 10_000;

const waiting = ({ topic, ids, workspaceId, until }: DeadLetterFilter, now: Date) => ({
  ...(topic !== undefined && { topic }),
  ...(ids !== undefined && { eventId: { $in: [...ids] } }),
  ...(workspaceId !== undefined && { workspaceId }),
  givenUpAt: { $lte: until },
  replayUntil: { $lte: now },
});
