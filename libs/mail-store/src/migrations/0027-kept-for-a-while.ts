import type { BackfillJobDocument } from '../documents/backfill.ts';
import type { SetAsideDocument, SetAsidePieceDocument } from '../documents/email.ts';
import { BACKFILL_KEPT_MS, SET_ASIDE_KEPT_MS, setAsidePieceExpiry } from '../kept-for.ts';
import { type MigrationStep, rewrite } from './step.ts';

type Job = Pick<BackfillJobDocument, '_id' | 'workspaceId' | 'updatedAt' | 'expiresAt'>;
type Message = Pick<SetAsideDocument, '_id' | 'workspaceId' | 'createdAt' | 'expiresAt'>;
type Piece = Pick<SetAsidePieceDocument, '_id' | 'workspaceId' | 'setAsideId' | 'expiresAt'>;

/** What the version before writes until it is gone says no time, and stays. */
export const keptForAWhile: MigrationStep = {
  title: 'backfills and messages set aside expire',
  parts: [
    rewrite<Job>({
      collection: 'backfillJobs',
      reads: ['updatedAt', 'expiresAt'],
      whileSame: ['updatedAt'],
      atOnce: 500,
      *updates(jobs) {
        for (const job of jobs) {
          if (!job.expiresAt) yield expiring(job, new Date(job.updatedAt.getTime() + BACKFILL_KEPT_MS));
        }
      },
    }),
    rewrite<Message>({
      collection: 'setAside',
      reads: ['createdAt', 'expiresAt'],
      whileSame: [],
      atOnce: 500,
      *updates(messages) {
        for (const message of messages) {
          if (!message.expiresAt) yield expiring(message, new Date(message.createdAt.getTime() + SET_ASIDE_KEPT_MS));
        }
      },
    }),
    rewrite<Piece>({
      collection: 'setAsidePieces',
      reads: ['setAsideId', 'expiresAt'],
      whileSame: [],
      atOnce: 500,
      async *updates(pieces, database) {
        const ids = pieces.map(({ setAsideId }) => setAsideId);
        const messages = await database
          .collection<Message>('setAside')
          .find({ _id: { $in: ids } })
          .toArray();
        const ends = new Map(messages.map(({ _id, expiresAt }) => [_id, expiresAt]));
        for (const piece of pieces) {
          const end = ends.get(piece.setAsideId);
          if (!piece.expiresAt && end) yield expiring(piece, setAsidePieceExpiry(end));
        }
      },
    }),
  ],
};

const expiring = <T extends object>(document: T, expiresAt: Date) => ({
  document,
  change: { $set: { expiresAt } as never },
});
