/** The bounds of a text length or of a number, both inclusive. Text lengths count code points. */
export interface InclusiveRange {
  readonly min: number;
  readonly max: number;
}

/** The numbers of the contract, each once: schemas, rules and the API description read them here. */
export const bounds = {
  request: { limitMs: 10_000, bodyBytes: 262_144, jsonLevels: 32 },
  idempotency: { keyLength: 255, keptMs: 24 * 3_600_000 },
  /** An opaque id, wherever a caller sends one. */
  id: { min: 1, max: 200 },
  page: { usual: 50, most: 200 },
  /** Of the feed of changes; streams and waiting polls are those of one workspace at one gateway. */
  changes: {
    page: { usual: 100, most: 500 },
    waitSeconds: { min: 0, max: 25 },
    waitingPolls: 50,
    streams: 10,
    streamMs: 300_000,
  },
  search: { min: 2, max: 200 },
  bulkEmails: { min: 1, max: 500 },
  threadEmails: 200,
  /** A page ends before it exceeds `pageBytes`. A list of drafts returns up to `draftBodiesLength` of html and text. */
  pageBytes: 8 * 1024 * 1024,
  draftBodiesLength: 2 * 1024 * 1024,
  /** An answer of the MCP server holds a page twice, as JSON and as JSON in a text, so a page has a third of its bytes. */
  mcp: { answerBytes: 262_144, pageBytes: 84_000 },

  filterTree: { levels: 5, conditions: 50, valueLength: 500, idLength: 64, bytes: 8_192 },
  filterDays: { min: 1, max: 3_650 },
  viewName: { min: 1, max: 100 },
  viewIcon: { min: 0, max: 32 },
  inboxFilterValue: { min: 1, max: 255 },

  labelName: { min: 1, max: 50 },
  labelColor: { min: 1, max: 32 },
  aiCondition: { min: 1, max: 500 },
  autoReplyThreshold: { min: 0, max: 100, usual: 80 },
  autoReplyDelayMinutes: { min: 0, max: 15, usual: 5 },
  backfillEmails: { min: 1, max: 500, usual: 200 },
  /** Of a test of a rule in the app: a run has `emails` at most, and one call estimates or asks about a few of them. */
  ruleTest: { emails: { min: 1, max: 1_000, usual: 20 }, estimatedAtOnce: 40, askedAtOnce: 8, expectedVerdicts: 100 },
  autoForwardValue: { min: 1, max: 255 },

  /** One mailbox, as a caller may name it. */
  address: { min: 3, max: 255 },
  recipients: { to: { min: 1, max: 100 }, cc: { min: 0, max: 100 }, bcc: { min: 0, max: 100 } },
  subject: { min: 0, max: 998 },

  webhookUrl: { min: 1, max: 2_048 },
  webhookDescription: { min: 0, max: 500 },

  apiKeyName: { min: 1, max: 80 },

  /** The most items of each kind in a workspace. The label count includes AI labels. */
  perWorkspace: {
    labels: 500,
    views: 200,
    inboxFilters: 1_000,
    aiLabelRules: 100,
    autoForwardRules: 200,
    webhooks: 20,
  },

  /** The bounds of an email in a list. The single email returns the rest, up to `emailBytes`. */
  listItem: {
    mediaTypeLength: 255,
    addressLength: 320,
    recipients: 200,
    references: 100,
    attachments: 200,
    bytes: 32_768,
  },
  emailBytes: 262_144,
  /** The labels that the provider of an email gives it. */
  providerLabels: { count: 200, length: 255, bytes: 16_384 },
} as const;
