import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { systemClock } from '@postroom/runtime/clock';
import { seededIds } from '@postroom/runtime/ids';
import { toArrival, toEmailDocument } from '../../services/mailbox-write/src/ingest/email-document.ts';
import { searchable } from '@postroom/mail-store/searchable';

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'tas',
  'vo',
  'sel',
  'du',
  'por',
  'ni',
  'gar',
  'bel',
  'wen',
  'sho',
  'fri',
  'cu',
];
/** Words as unevenly spread as in a language: the n-th is about n times rarer than the first. */
const VOCABULARY = 4_000;
const NEWEST = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;

export const COMMON_WORD = 'everywhere';
/** Stands in one email of a thousand. */
export const RARE_WORD = 'needle';

export const benchMailbox: MailboxDocument = {
  _id: 'mbx_bench',
  workspaceId: 'wsp_bench',
  email: 'bench@acme.example',
  emailKey: 'bench@acme.example',
  recipientKeys: ['bench@acme.example'],
  name: 'Bench',
  provider: 'development',
  status: 'active',
  aliases: [],
  folders: (['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'] as const).map((type) => ({
    id: `fld_${type}`,
    name: type,
    type,
  })),
  server: null,
  credentials: null,
  lastSyncedAt: null,
  createdAt: new Date(NEWEST),
};

/** The n-th email, newest first: never parsed, but rendered and folded by the code that ingest uses. */
export function benchEmail(n: number): EmailDocument {
  const random = generator(n + 1);
  const text = (length: number) => Array.from({ length }, () => word(Math.floor(VOCABULARY ** random()))).join(' ');
  const from = { email: `person${n % 500}@firm${n % 90}.example`, name: `${word(n % 500)} ${word(n % 90)}` };
  const subject = `${text(5)}${n % 1_000 === 17 ? ` ${RARE_WORD}` : ''}`;
  const body = `${COMMON_WORD} ${text(45)}`;
  const to = [{ email: benchMailbox.email, name: 'Bench' }];
  const date = new Date(NEWEST - n * MINUTE);
  const messageId = `<bench-${n}@firm.example>`;
  const parsed = {
    messageId,
    hasOwnMessageId: true,
    digest: `${n}`,
    inReplyTo: null,
    references: [],
    from,
    to,
    cc: [],
    bcc: [],
    subject,
    date,
    html: null,
    text: body,
  };
  const reading = { snippet: body.slice(0, 140), asksSomething: false };
  const shown = {
    attachments: [],
    isAutomatic: false,
    listId: null,
    failsDmarc: false,
    authentication: null,
    replyTo: [],
    report: null,
    operation: null,
    ...reading,
    byText: reading,
  };
  const mail = { ...parsed, ...shown, ...searchable(parsed, body) };
  const incoming = {
    sourceKey: `bench:${n}`,
    raw: Buffer.alloc(0),
    folderType: n % 8 === 0 ? ('SENT' as const) : ('INBOX' as const),
    providerThreadId: null,
    providerLabels: [],
    isRead: n % 3 !== 0,
    isStarred: n % 40 === 0,
    isHistory: true,
    receivedAt: date,
    folderId: null,
    providerId: '',
  };
  const deps = { clock: systemClock, ids: seededIds(n) };
  return toEmailDocument(benchMailbox, toArrival(benchMailbox, incoming, mail), `thr_${Math.floor(n / 3)}`, deps);
}

function word(n: number): string {
  const digits = [n % 16, Math.floor(n / 16) % 16, Math.floor(n / 256) % 16];
  return digits.map((digit) => SYLLABLES[digit]).join('');
}

/** Mulberry32: the same emails from the same seed, on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
