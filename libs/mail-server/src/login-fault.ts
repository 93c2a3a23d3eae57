/** The cause of a failed login, as far as it is known. */
export const LOGIN_FAULTS = [
  'host_not_found',
  'unreachable',
  'no_tls',
  'unknown_authority',
  'wrong_name',
  'expired_certificate',
  'no_login',
  'login_refused',
  'too_slow',
  'other',
] as const;
export type LoginFault = (typeof LOGIN_FAULTS)[number];

// The clients of both protocols replace the codes of the system by their own, but keep its sentences.
const signs: readonly (readonly [LoginFault, RegExp])[] = [
  ['host_not_found', /\b(ENOTFOUND|EAI_AGAIN|EDNS)\b/],
  ['wrong_name', /ALTNAME_INVALID|does not match certificate's altnames/],
  ['expired_certificate', /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (has expired|is not yet valid)/],
  ['unknown_authority', /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|self.signed certificate|unable to (get|verify)/],
  ['no_tls', /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long|STARTTLS/i],
  ['unreachable', /\b(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)\b/],
  ['too_slow', /\bETIMEDOUT\b|time(d )?out|in time\b/i],
];

/** Reads the error and its causes. Only the protocol tells that a login was refused. */
export function loginFaultOf(error: unknown): LoginFault {
  const said: string[] = [];
  for (let at = error; typeof at === 'object' && at !== null && said.length < 5; at = (at as Partial<Error>).cause) {
    const { code, message, name } = at as { code?: unknown; message?: unknown; name?: unknown };
    said.push([code, message, name].filter((part) => typeof part === 'string').join(' '));
  }
  const text = said.join('\n');
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'other';
}
