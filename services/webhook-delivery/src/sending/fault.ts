import { UnreachableTarget } from '../targets/targets.ts';

const CLOSED = 'the connection was closed before an answer';
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  TOO_MANY_INTERIM: 'the answer has too many interim responses',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not of a trusted authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not of a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not of a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not of a trusted authority',
};

/** The sentence for the owner of an endpoint. Other errors may name addresses or hold text of the endpoint. */
export function faultOf(error: unknown): string {
  if (error instanceof UnreachableTarget) return error.message;
  if (isNotHttp(error)) return 'the answer is not HTTP';
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return message === 'no answer within the time' ? message : OTHER;
  return SENTENCES[code] ?? (code.startsWith('ERR_SSL') ? 'the TLS handshake failed' : OTHER);
}

/** On a connection that was open already, these may tell of what the other side did before it got the request. */
export function mayBeOfEarlier(error: unknown): boolean {
  return SENTENCES[String((error as { code?: unknown } | null)?.code)] === CLOSED || isNotHttp(error);
}

/** The parser gives its errors no code. */
const isNotHttp = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

const OTHER = 'the delivery failed';
