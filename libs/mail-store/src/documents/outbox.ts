/** An event that a document owes the bus; it leaves by the relay, with the same id however often it is sent. */
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

/** By a name for what it is about, so that the latest of each takes the place of the one before, in the same update. */
export type Outbox = Record<string, PendingEventPart>;

/** What every document has that owes events. An event and the change it tells of are written as one. */
export interface HasOutbox {
  outbox: Outbox;
  /** When the oldest of them was written or last seen to. Absent when nothing is owed: the index holds the others alone. */
  owedSince?: Date;
  /** Its place among what was written in the same moment, and among what was tried in the same moment and failed. */
  owedOrder?: number;
  /** Who is seeing to them, of several who try at once. */
  outboxClaim?: string;
}
