/** What was said of one rule about one email. */
export interface VerdictPart {
  ruleId: string;
  labelId: string;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
}

/** Why an email has the labels it has. Its id is the email's; a backfill takes the place of what was said before. */
export interface ClassificationDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  verdicts: VerdictPart[];
  /** Empty where nothing was asked, because there was no rule. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  durationMs: number;
  isBackfill: boolean;
  createdAt: Date;
  /** Absent from what an earlier version wrote last. */
  expiresAt?: Date;
}
