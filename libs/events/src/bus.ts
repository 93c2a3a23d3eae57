import type {} from '@postroom/runtime/service';
import type { Topic } from './topics.ts';

declare module '@postroom/runtime/service' {
  interface ServiceContext {
    /** The bus of a process that holds several services, or of a test; without one, each service opens its own. */
    bus?: Bus | undefined;
  }
}

/** One event. `key` is the mailbox: whatever shares a key is delivered in the order in which it was published. */
export interface BusMessage {
  /** The same event keeps its id when it is published again, so that a consumer can tell a repeat. */
  id: string;
  key: string;
  type: string;
  occurredAt: Date;
  value: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

export type UnpublishedMessage = Omit<BusMessage, 'headers'> & { headers?: Readonly<Record<string, string>> };

export interface Work {
  /** From 1. A delivery after a crash begins at 1 again: effects are made unique by their keys, not by this number. */
  attempt: number;
  /** The number of times that an operator replayed the message. */
  replays: number;
  /** Aborted when the time limit is over, the consumer closes, or the partition went to another consumer. */
  signal: AbortSignal;
  /** Tells the broker that the handler lives. A timer does it too; a handler that blocks for long calls it itself. */
  heartbeat: () => Promise<void>;
}

/** A message that a group gave up after its last attempt. */
export interface GivenUpMessage extends Omit<BusMessage, 'headers' | 'type'> {
  topic: Topic;
  group: string;
  /** Empty where the message cannot be read. */
  workspaceId: string;
  cause: string;
  attempts: number;
  /** The number of replays before. */
  replays: number;
  givenUpAt: Date;
}

/** The stored dead letters, as consumers need them. */
export interface DeadLetters {
  /** Resolves when the message is stored. A message that is there already is replaced. */
  add(message: GivenUpMessage): Promise<void>;
}

export interface RetryPolicy {
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

export interface Subscription {
  group: string;
  topic: Topic;
  onMessage: (message: BusMessage, work: Work) => Promise<void>;
  /** The number of messages handled in parallel; never two of one key. */
  concurrency?: number;
  /** A finer key than the message key, such as the thread within a mailbox. It allows more parallel work. */
  orderBy?: (message: BusMessage) => string;
  /** The owner of a message. Owners are served in round-robin order, and so are the keys of one owner. */
  ownerOf?: (message: BusMessage) => string;
  retry?: Partial<RetryPolicy>;
  /** A handler that takes longer is aborted, and the attempt has failed. */
  timeLimitMs?: number;
  /** Stores the messages that are given up. Without it they are only logged. */
  deadLetters?: DeadLetters;
  /** Receives the next step of a message after a failed attempt. */
  onFailure?: (next: 'retry' | 'dead letter') => void;
}

export interface Consumer {
  /** Starts no new message until `resume`. Messages in progress finish, and the position in the topic is kept. */
  pause(): void;
  resume(): void;
  /** False while the consumer restarts; readiness follows it. */
  healthy(): boolean;
  /** Messages published and not yet handled by this group. */
  lag(): Promise<number>;
  /** Finishes the messages in progress, commits, leaves the group. */
  close(): Promise<void>;
}

/** Is told the id of a message as soon as no crash of this process can lose it any more. */
export type OnSafe = (id: string) => void;

export interface Bus {
  /**
   * Resolves when every message has its position in the topic. When it throws, some may have been published: publish
   * them again. On a broker all of them are safe then; a message of the in-process bus is safe when every group has
   * handled it or has stored it as a dead letter.
   */
  publish(topic: Topic, messages: readonly UnpublishedMessage[], onSafe?: OnSafe): Promise<void>;
  subscribe(subscription: Subscription): Promise<Consumer>;
  close(): Promise<void>;
}

/** A handler throws it when another attempt is pointless: the message is a dead letter at once. */
export class NoMoreAttempts extends Error {
  override readonly name: string = 'NoMoreAttempts';
}

/**
 * A handler throws it while a dependency is unavailable (the model is down), so the message itself is not to blame:
 * the message waits, keeps its position in the order of its key, and the attempt is not counted.
 */
export class RetryLater extends Error {
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, cause?: unknown) {
    super(`retry in ${retryAfterMs} ms`, { cause });
    this.name = 'RetryLater';
    this.retryAfterMs = retryAfterMs;
  }
}
