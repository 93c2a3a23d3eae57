import { refuse } from '@postroom/errors/refuse';
import type { Ids } from '@postroom/runtime/ids';
import type { z } from 'zod';
import { fenced, type MailBody, mailText, pieceOf, safeLines } from '../mail/mail-text.ts';
import type { draftOutput, emailOutput } from './reading-fields.ts';
import { fits } from './size.ts';
import type { Arguments } from './rest-call.ts';

type Shown = z.input<typeof emailOutput>;
type Header = Omit<Shown, 'authentication' | 'counts' | 'thread' | 'boundary' | 'text' | 'nextCursor' | 'hasMore'>;
type ShownDraft = z.input<typeof draftOutput>;

export interface EmailReading {
  email: Header;
  body: MailBody;
  authentication: Shown['authentication'];
  thread: Header[];
}

export interface DraftReading {
  draft: Omit<ShownDraft, 'counts' | 'boundary' | 'text' | 'nextCursor' | 'hasMore'> & { body: MailBody };
}

const MOST_LISTED = [100, 20, 3];
const LONGEST_PIECE = 100_000;
const SHORTEST_PIECE = 1_000;

export function readEmail({ email, body, authentication, thread }: EmailReading, given: Arguments, ids: Ids): Shown {
  const { to, cc, attachments } = email;
  const counts = { to: to.length, cc: cc.length, attachments: attachments.length };
  const headers = MOST_LISTED.map((most) => ({
    ...cutLists(safeLines(email) as Header, most),
    authentication: safeLines(authentication) as typeof authentication,
    counts,
    thread: (safeLines(thread) as Header[])
      .slice(-most)
      .map(({ id, from, date, isDraft }) => ({ id, from, date, isDraft })),
  }));
  return withText(headers, mailText(body), given, ids);
}

export function readDraft({ draft: { body, ...draft } }: DraftReading, given: Arguments, ids: Ids): ShownDraft {
  const { to, cc, bcc, attachments } = draft;
  const counts = { to: to.length, cc: cc.length, bcc: bcc.length, attachments: attachments.length };
  const headers = MOST_LISTED.map((most) => {
    const safe = safeLines(draft) as typeof draft;
    return { ...cutLists(safe, most), bcc: safe.bcc.slice(0, most), counts };
  });
  return withText(headers, mailText(body), given, ids);
}

function cutLists<T extends Pick<Header, 'to' | 'cc' | 'attachments'>>(email: T, most: number): T {
  const { to, cc, attachments } = email;
  return { ...email, to: to.slice(0, most), cc: cc.slice(0, most), attachments: attachments.slice(0, most) };
}

/** The first of the headers that leaves room for text, with as much of the text as fits behind the cursor. */
function withText<T extends object>(headers: readonly T[], text: string, given: Arguments, ids: Ids) {
  const from = startIn(given, text);
  for (const header of headers) {
    for (let length = LONGEST_PIECE; length >= SHORTEST_PIECE; length = Math.floor(length / 2)) {
      const shown = withPiece(header, text, from, length, ids);
      if (fits(shown)) return shown;
    }
  }
  throw new Error('an email without its text is larger than an answer');
}

function withPiece<T extends object>(header: T, text: string, from: number, length: number, ids: Ids) {
  const { piece, end } = pieceOf(text, from, length);
  const hasMore = end < text.length;
  return { ...header, ...fenced(piece, ids), hasMore, nextCursor: hasMore ? cursorAt(end) : null };
}

const cursorAt = (position: number) => Buffer.from(`text:${position}`).toString('base64url');

function startIn({ cursor }: Arguments, text: string): number {
  if (cursor === undefined || cursor === null) return 0;
  const said = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const position = /^text:(\d{1,9})$/.exec(said)?.[1];
  if (position === undefined || Number(position) > text.length) {
    refuse('cursor', 'is not the nextCursor of an answer for this email; begin again without a cursor');
  }
  return Number(position);
}
