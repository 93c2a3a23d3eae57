import { absentOr, type Shape, typed } from '../schemas/schema.ts';

/** An event that is not published yet. The relay publishes it, each time with the same id. */
export interface PendingEventPart {
  id: string;
  type: string;
  key: string;
  occurredAt: Date;
  /** As the bus carries it. */
  value: Uint8Array;
  /** The trace that it goes on, where one is kept. */
  headers?: Readonly<Record<string, string>>;
}

/** Events by a name for their subject: an update replaces the earlier event of the same name. */
export type Outbox = Record<string, PendingEventPart>;

/** The fields of a document that can have pending events. One write stores a change and its event. */
export interface HasOutbox extends Shape<typeof outboxFields> {}
export const outboxFields = {
  outbox: typed<Outbox>(Object),
  /** When the oldest event was written or last touched. Absent without pending events, to stay out of the index. */
  owedSince: absentOr(Date),
  /** Its order among documents that were written, or tried and failed, at the same moment. */
  owedOrder: absentOr(Number),
  /** The id of the last claim. It shows which process has the document, and that no event came since. */
  outboxClaim: absentOr(String),
};
