/** Attempts at one piece of work that have begun and not ended. Its process ends an attempt, or dies in it. */
export interface CountedAttemptsDocument {
  _id: string;
  workspaceId: string;
  attempts: number;
  /** The last one is in work until then, or its process has ended. */
  leaseUntil?: Date;
  expiresAt: Date;
}
