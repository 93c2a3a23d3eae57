/**
 * A fault of a connection to a provider:
 * `refusal`: it refuses these credentials;
 * `limit`: it accepts the login later;
 * `network`: the connection is lost, or could not be opened;
 * `failed`: it refused a command, and the connection goes on.
 */
export type FaultKind = 'refusal' | 'limit' | 'network' | 'failed';

export class ImapFault extends Error {
  readonly kind: FaultKind;
  /** The pause that the provider asks for, if it does. */
  readonly restMs: number | undefined;
  /** The provider kept the connection alive and broke a bound of ours. It would do so again after the next login. */
  readonly isOverBound: boolean;

  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options);
    this.name = 'ImapFault';
    this.kind = kind;
    this.restMs = options.restMs;
    this.isOverBound = options.isOverBound ?? false;
  }
}

interface FaultOptions {
  cause?: unknown;
  restMs?: number | undefined;
  isOverBound?: boolean;
}

export const saidTooMuch = (cause?: unknown): ImapFault =>
  new ImapFault('network', 'the provider says more than it was asked for', { cause, isOverBound: true });

export const sentTooSlowly = (): ImapFault =>
  new ImapFault('network', 'the provider sends a message so slowly that others would wait for it', {
    isOverBound: true,
  });

/** The fields that imapflow adds to its errors. */
interface Thrown {
  code?: string;
  serverResponseCode?: string;
  authenticationFailed?: boolean;
  responseStatus?: string;
  oauthError?: unknown;
  throttleReset?: number;
}

const REFUSALS = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED']);
const LIMITS = new Set(['LIMIT', 'UNAVAILABLE', 'THROTTLED', 'INUSE', 'OVERQUOTA', 'CONTACTADMIN']);
/** The library's words for what breaks a bound of ours. */
const TOO_LARGE = new Set(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge']);
const DAY_MS = 86_400_000;

/** By the code of the answer: imapflow calls every login that failed a refusal, also for too many connections. */
export function toImapFault(error: unknown): ImapFault {
  if (error instanceof ImapFault) return error;
  const { code, serverResponseCode, authenticationFailed, responseStatus, oauthError, throttleReset } = error as Thrown;
  const answer = serverResponseCode?.toUpperCase();
  const fault = (kind: FaultKind, message: string, restMs?: number) =>
    new ImapFault(kind, message, { cause: error, restMs });
  if (answer === 'OVERQUOTA') return fault('limit', 'the provider gives no more mail today', DAY_MS);
  // The server may name any number, and a timer that is set to more than 24 days fires at once.
  const restMs = throttleReset === undefined ? undefined : Math.min(throttleReset, DAY_MS);
  if (code === 'ETHROTTLE') return fault('limit', 'the provider is busy with this mailbox', restMs);
  if (answer !== undefined && LIMITS.has(answer)) return fault('limit', `the provider limits this mailbox (${answer})`);
  if (answer !== undefined && REFUSALS.has(answer))
    return fault('refusal', `the provider refused the login (${answer})`);
  // Old servers refuse without any code; one that is unknown to us proves nothing.
  if (authenticationFailed && (answer === undefined || oauthError !== undefined))
    return fault('refusal', 'the provider refused the login');
  if (authenticationFailed) return fault('limit', 'the provider does not let this mailbox in now');
  if (code !== undefined && TOO_LARGE.has(code)) return saidTooMuch(error);
  if (code === 'NotFound') return fault('failed', 'the provider has no such folder');
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return fault('failed', `the provider did not do what it was asked (${answer ?? responseStatus})`);
  return fault('network', `the provider cannot be reached${isPlainCode(code) ? ` (${code})` : ''}`);
}

/** Codes are words of the system's or the library's, never of the provider's. */
function isPlainCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Za-z_]{1,40}$/.test(code);
}
