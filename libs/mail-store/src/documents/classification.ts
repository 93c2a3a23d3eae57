/** The model's verdict on one rule for one email. */
export interface VerdictPart {
  ruleId: string;
  labelId: string;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
  /** The version of the rule. Absent where the caller did not say it. */
  ruleUpdatedAt?: Date;
}

/** The reasons for the labels of an email. Its id is the email's id. A backfill replaces the earlier verdicts. */
export interface ClassificationDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  verdicts: VerdictPart[];
  /** Empty when no model was called, because there was no rule. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  durationMs: number;
  isBackfill: boolean;
  createdAt: Date;
  /** Absent from documents that an earlier version wrote last. */
  expiresAt?: Date;
}
