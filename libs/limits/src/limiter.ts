/** The limits of a workspace's plan. */
export interface Allowance {
  perMinute: number;
  perMonth: number;
}

/** The two windows after a decision: the six rate limit headers are read off it and need no second question. */
export interface LimitDecision {
  allowed: boolean;
  refusedBy?: 'minute' | 'month';
  /** Whole seconds, at least 1, by the clock that decided; only with `refusedBy`. */
  retryAfter?: number;
  /** `resetAt` is in Unix seconds, rounded up, so that a caller who waits for it is never early. */
  minute: { limit: number; remaining: number; resetAt: number };
  month: { quota: number; used: number; remaining: number; resetAt: number };
}

export interface Limiter {
  /** Counts one request against the minute; nothing of the month. */
  admit(workspaceId: string, allowance: Allowance): Promise<LimitDecision>;
  /** Charges units to the month, all or nothing. */
  charge(workspaceId: string, allowance: Allowance, units: number): Promise<LimitDecision>;
  /** Counts one request and, if the minute admits it, charges units. One round trip does both if possible. */
  admitAndCharge(workspaceId: string, allowance: Allowance, units: number): Promise<LimitDecision>;
  /**
   * Gives back units that were reserved and not used. `reservedUntil` is the `month.resetAt` of the verdict that
   * reserved them: a refund that arrives after the turn of the month must not lower the new month's count.
   */
  refund(workspaceId: string, allowance: Allowance, units: number, reservedUntil?: number): Promise<LimitDecision>;
  /** Both windows at present. It counts and writes nothing. */
  read(workspaceId: string, allowance: Allowance): Promise<LimitDecision>;
  close(): Promise<void>;
}
