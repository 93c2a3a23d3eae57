const REDACTED = '[private]';

/** Names of fields that hold mail, personal data or credentials. They are compared without case and separators. */
const PRIVATE_FIELDS = new Set(
  (
    'authorization cookie password secret secrets token accesstoken refreshtoken clientsecret apikey key credential credentials uri url ' +
    'subject body html text snippet raw content payload headers query search filters condition ' +
    'email emails address addresses from to cc bcc sender recipient recipients replyto forwardto name filename'
  ).split(' '),
);
const MAX_DEPTH = 5;
// Nobody reads a log line of a megabyte, and a search for addresses in it would stall the process.
const MAX_TEXT = 4_096;

export function isPrivate(field: string): boolean {
  return PRIVATE_FIELDS.has(field.replaceAll(/[-_]/g, '').toLowerCase());
}

/**
 * Removes addresses, API keys and the values of duplicate-key errors from free text. Such a value ends with its line,
 * because a text that was cut has no closing brace.
 */
export function scrub(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return short
    .replaceAll(/[^\s<>"'(),;:/@]{1,64}@[^\s<>"'(),;:/@]{1,255}/g, REDACTED)
    .replaceAll(/\bdup key: \{.*/g, `dup key: ${REDACTED}`)
    .replaceAll(/\bmk_[A-Za-z0-9]{8,}/g, REDACTED)
    .replaceAll(/\bBearer\s+\S+/gi, `Bearer ${REDACTED}`);
}

/** A copy of the fields that may be logged. A private name hides everything below it. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const fields = Object.entries(value).map(([name, item]) => [
    name,
    isPrivate(name) ? REDACTED : redact(item, depth + 1),
  ]);
  return Object.fromEntries(fields) as Record<string, unknown>;
}

/** An error for the log: its kind, code, redacted text and stack, and the chain of causes, without its other fields. */
function describeError(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return redact(thrown, depth);
  const { code } = thrown as { code?: unknown };
  return {
    type: thrown.name,
    message: scrub(thrown.message),
    ...(code !== undefined && { code }),
    stack: scrub(thrown.stack ?? ''),
    ...(thrown.cause !== undefined && depth < MAX_DEPTH && { cause: describeError(thrown.cause, depth + 1) }),
  };
}
