import type { EncodedEvent } from '../event.ts';

/** A document with unpublished events. */
export interface OutboxEntry {
  ownerId: string;
  /** At most one event under each name: a newer event replaces the one that is not published yet. */
  events: Readonly<Record<string, EncodedEvent>>;
  /** Of what happened in one moment the lower came first. */
  order?: number;
  /** The claim that found it. Absent where its own writer tells of it. */
  claim?: string;
}

/** One event of one document. */
export interface PendingEvent {
  ownerId: string;
  name: string;
  event: EncodedEvent;
  order: number;
}

/**
 * The documents of one collection that have pending events, as the relay needs them. A new event belongs to the process
 * that wrote it. When its document stays untouched for a while, the event belongs to the first process that claims it.
 */
export interface OutboxStore {
  /** The name of the collection, for metrics and logs. */
  name: string;
  /** The number of documents with pending events, counted up to a limit. */
  count(limit: number): Promise<number>;
  /** Claims the longest untouched documents, in order. Each goes to one caller only and counts as touched now. */
  claim(untouchedSince: Date, now: Date, limit: number): Promise<OutboxEntry[]>;
  /** No process claims these documents until one lease after this time. */
  touch(ownerIds: readonly string[], until: Date): Promise<void>;
  /** As `touch`, but a document that has got another event since it was claimed stays claimable. */
  hold(claimed: readonly OutboxEntry[], until: Date): Promise<void>;
  /** Makes documents claimable that are held: the process that held them is gone. Not what its writer put off. */
  release(now: Date, untouchedSince: Date): Promise<void>;
  /** Removes published events from their documents, but never a newer event that has replaced one of them. */
  markPublished(published: readonly PendingEvent[]): Promise<void>;
}
