/** Counts of one subject on one day (UTC), by one process. Several processes have documents of their own, and readers add them up. */
export interface DayCountsDocument {
  _id: string;
  workspaceId: string;
  /** A key, a rule, or the workspace itself for all of its rules. */
  subject: string;
  day: Date;
  /** Each only ever grows: a write that is repeated changes nothing. */
  counts: Record<string, number>;
  expiresAt: Date;
}

/** The id is that of the key. */
export interface KeyUseDocument {
  _id: string;
  workspaceId: string;
  last: KeyUsePart;
}

/** `at` stands first, because the later use is the greater value. */
export interface KeyUsePart {
  at: Date;
  address: string;
}

/** The part of its plan that a workspace had used at its last call. The id is that of the workspace. */
export interface LimitReadingDocument {
  _id: string;
  workspaceId: string;
  last: LimitReadingPart;
}

/** `at` stands first, because the later reading is the greater value. */
export interface LimitReadingPart {
  at: Date;
  minuteUsed: number;
  minuteEnds: Date;
  monthUsed: number;
  monthEnds: Date;
}
