import type { Header } from './header-block.ts';

/** Carried by whatever no person sent from here, so that it is known when it comes round. */
export const LOOP_HEADER = 'X-Postroom-Loop';

/** Programs that answer or pass on, and servers that keep lists, name themselves by one of these (RFC 2369, RFC 2919). */
const SIGNS = [
  LOOP_HEADER.toLowerCase(),
  'x-autoreply',
  'x-autorespond',
  'list-id',
  'list-post',
  'list-owner',
  'list-help',
  'list-archive',
  'list-subscribe',
  'list-unsubscribe',
] as const;
const BULK = /^\s*(bulk|list|junk|auto_reply)\b/i;
/** Exchange marks by it what it must not answer: its own answers, and the mail of programs. */
const SUPPRESSED = /\b(all|autoreply|oof)\b/i;
const SERVERS = /^(mailer-daemon|postmaster)@/i;

/** The message says that no person wrote it (RFC 3834), or is a bounce or list mail. */
export function isAutomatic(header: Header, sender: string): boolean {
  const said = header.first('auto-submitted')?.split(';')[0]?.trim().toLowerCase() ?? 'no';
  return (
    said !== 'no' ||
    SIGNS.some((name) => header.has(name)) ||
    BULK.test(header.first('precedence') ?? '') ||
    SUPPRESSED.test(header.first('x-auto-response-suppress') ?? '') ||
    isBounce(header, sender)
  );
}

/** Bounces have no sender on the envelope, which the last server writes down as an empty path (RFC 5321 §4.4). */
function isBounce(header: Header, sender: string): boolean {
  const hasNoSender = /^<\s*>$/.test(header.first('return-path')?.trim() ?? '');
  const isReport = /^\s*multipart\/report\b/i.test(header.first('content-type') ?? '');
  return hasNoSender || isReport || SERVERS.test(sender);
}

const LONGEST_LIST_ID = 255;

/** The part in angle brackets: the words before it may change (RFC 2919 §3). */
export function listIdOf(header: Header): string | null {
  const field = header.first('list-id') ?? '';
  const begin = field.lastIndexOf('<');
  const end = field.indexOf('>', begin);
  const name =
    begin === -1 || end === -1
      ? ''
      : field
          .slice(begin + 1, end)
          .trim()
          .toLowerCase();
  return name === '' || name.length > LONGEST_LIST_ID ? null : name;
}
