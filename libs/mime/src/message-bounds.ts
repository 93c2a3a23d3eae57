/** The bounds of an untrusted message. A message beyond one is refused with the bound's name, never cut silently. */
export interface MessageBounds {
  messageBytes: number;
  /** One header block: that of the message, or of a part. */
  headerBytes: number;
  headerFields: number;
  fieldLength: number;
  depth: number;
  parts: number;
  /** These two bounds cut: a list of recipients and a text are still useful without their end. */
  addresses: number;
  textBytes: number;
}

export const messageBounds: MessageBounds = {
  messageBytes: 64 * 1024 * 1024,
  headerBytes: 1024 * 1024,
  headerFields: 5_000,
  fieldLength: 256 * 1024,
  depth: 50,
  parts: 2_000,
  addresses: 1_000,
  textBytes: 5 * 1024 * 1024,
};

const REFUSALS = {
  empty: 'the message is empty',
  notMail: 'this is not an email: it has none of the headers of one',
  tooLarge: 'the message is too large',
  headersTooLong: 'a header block is too long',
  tooManyHeaders: 'a header block has too many fields',
  fieldTooLong: 'a header field is too long',
  tooDeep: 'the parts are nested too deeply',
  tooManyParts: 'the message has too many parts',
} as const;

type RefusalReason = keyof typeof REFUSALS;

/** A message that is not taken apart any further, with the bound it broke; the text holds nothing of the message. */
export class MimeRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(REFUSALS[reason]);
    this.name = 'MimeRefused';
    this.reason = reason;
  }
}
