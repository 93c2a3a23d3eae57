/** An event that a consumer gave up after its last attempt. Each consumer stores its own, through one store (`dead-letter-store.ts`). */
export interface DeadLetterDocument {
  _id: string;
  /** Empty where the event cannot be read. */
  workspaceId: string;
  topic: string;
  group: string;
  eventId: string;
  key: string;
  occurredAt: Date;
  value: Buffer;
  cause: string;
  attempts: number;
  replays: number;
  givenUpAt: Date;
  /** The replay that is under way, until this time: no other begins. */
  replayId: string;
  replayUntil: Date;
  expiresAt: Date;
}
