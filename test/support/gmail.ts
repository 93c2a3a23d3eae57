import { createGmailMail, GMAIL_FOLDERS, type GmailMail, type GmailMessage } from './gmail-mail.ts';
import { type ImapCommand, type ImapPeer, openImapLines } from './imap-lines.ts';

/** A mail server that does with mail what Gmail does, as far as its labels go; it lets in who has its password, if it has one. */
export interface Gmail extends GmailMail {
  address: string;
  /** The commands that were given, without those that only ask. */
  acts: string[];
  close(): Promise<void>;
}

interface Peer extends ImapPeer {
  path: string;
  /** The UIDs it knows of the folder that it has open, and up to which change. */
  known: number[];
  knownTo: number;
  /** Of the login whose password is awaited. */
  loginTag?: string | undefined;
}

const CAPABILITIES =
  'IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS ENABLE MOVE CONDSTORE ' +
  'SPECIAL-USE LIST-EXTENDED LIST-STATUS SASL-IR AUTH=PLAIN AUTH=XOAUTH2';
const WELCOME = `OK [CAPABILITY ${CAPABILITIES}] welcome`;
const WRONG_PASSWORD = 'NO [AUTHENTICATIONFAILED] wrong password';
const UID_VALIDITY = 7;
const ACTS = /^(UID (STORE|MOVE|COPY|EXPUNGE)|APPEND|CREATE|DELETE|RENAME|EXPUNGE)\b/i;

interface GmailOptions {
  password?: string;
  /** Whether a token opens the mailbox of a user. Without it, every token does. */
  opens?: (user: string, token: string) => boolean;
}

export async function openGmail({ password, opens }: GmailOptions = {}): Promise<Gmail> {
  const acts: string[] = [];
  const peers = new Set<Peer>();
  const mail = createGmailMail(() => {
    for (const peer of peers) if (peer.idle !== undefined) tellNews(peer, mail);
  });
  const greet = (bare: ImapPeer) => {
    const peer: Peer = Object.assign(bare, { path: '', known: [], knownTo: 0 });
    peers.add(peer);
    peer.say(`* OK [CAPABILITY ${CAPABILITIES}] ready`);
    return peer;
  };
  const lines = await openImapLines(greet, (peer, command) => {
    if (password !== undefined && /^AUTHENTICATE PLAIN$/i.test(command.text)) {
      peer.loginTag = command.tag;
      peer.say('+');
      return undefined;
    }
    if (password !== undefined && peer.loginTag !== undefined) {
      const answer = hasPassword(command.text, password) ? WELCOME : WRONG_PASSWORD;
      peer.say(`${peer.loginTag} ${answer}`);
      peer.loginTag = undefined;
      return undefined;
    }
    const [, bearer] = /^AUTHENTICATE XOAUTH2 (\S+)$/i.exec(command.text) ?? [];
    if (opens && bearer !== undefined) return opens(...bearerIn(bearer)) ? WELCOME : WRONG_PASSWORD;
    if (ACTS.test(command.text)) acts.push(command.text);
    const [, name = '', rest = ''] = /^(UID \w+|\w+) ?(.*)$/s.exec(command.text) ?? [];
    const answer = ANSWERS[name.toUpperCase()];
    const said = answer ? answer({ peer, mail, rest, command }) : 'OK as you like';
    if (name.toUpperCase().startsWith('UID ') && !name.toUpperCase().endsWith('FETCH')) tellNews(peer, mail);
    return said;
  });
  return { ...mail, address: lines.address, acts, close: lines.close };
}

/** Authorization, user and password, with zero bytes between. */
const hasPassword = (response: string, password: string): boolean =>
  Buffer.from(response, 'base64').toString('utf8').split('\0').at(-1) === password;

/** The user and the token of an XOAUTH2 login. */
function bearerIn(response: string): [string, string] {
  const said = Buffer.from(response, 'base64').toString('utf8');
  const [user = '', auth = ''] = said.split('\u0001');
  return [user.replace('user=', ''), auth.replace('auth=Bearer ', '')];
}

interface Asked {
  peer: Peer;
  mail: GmailMail;
  rest: string;
  command: ImapCommand;
}

const ANSWERS: Record<string, (asked: Asked) => string> = {
  CAPABILITY: ({ peer }) => (peer.say(`* CAPABILITY ${CAPABILITIES}`), 'OK'),
  AUTHENTICATE: () => WELCOME,
  LOGIN: () => WELCOME,
  NAMESPACE: ({ peer }) => (peer.say('* NAMESPACE (("" "/")) NIL NIL'), 'OK'),
  ENABLE: ({ peer }) => (peer.say('* ENABLED CONDSTORE'), 'OK'),
  LIST: list,
  STATUS: ({ peer, mail, rest }) => (peer.say(statusOf(mail, pathsIn(rest)[0] ?? '')), 'OK'),
  SELECT: select,
  'UID SEARCH': search,
  'UID FETCH': fetch,
  'UID STORE': store,
  'UID MOVE': move,
  'UID EXPUNGE': expunge,
  APPEND: append,
};

/** Quoted or not. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|([^\s"()]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

function list({ peer, mail, rest }: Asked): string {
  const [, pattern = ''] = pathsIn(rest);
  for (const { path, attribute } of GMAIL_FOLDERS) {
    if (pattern !== '*' && pattern !== path) continue;
    peer.say(`* LIST (${attribute}) "/" "${path}"`);
    if (/STATUS/i.test(rest) && !attribute.includes('Noselect')) peer.say(statusOf(mail, path));
  }
  return 'OK';
}

function statusOf(mail: GmailMail, path: string): string {
  const facts = `MESSAGES ${mail.shownIn(path).length} UIDNEXT ${mail.uidNext(path)} UIDVALIDITY ${UID_VALIDITY}`;
  return `* STATUS "${path}" (${facts} HIGHESTMODSEQ ${mail.modseq()})`;
}

function select({ peer, mail, rest }: Asked): string {
  const [path = ''] = pathsIn(rest);
  peer.path = path;
  peer.known = uidsOf(peer, mail);
  peer.knownTo = mail.modseq();
  peer.say(
    '* FLAGS (\\Answered \\Flagged \\Draft \\Deleted \\Seen)',
    '* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Draft \\Deleted \\Seen \\*)] as you like',
    `* OK [UIDVALIDITY ${UID_VALIDITY}] for ever`,
    `* ${peer.known.length} EXISTS`,
    '* 0 RECENT',
    `* OK [UIDNEXT ${mail.uidNext(path)}] next`,
    `* OK [HIGHESTMODSEQ ${mail.modseq()}]`,
  );
  return `OK [READ-WRITE] ${path} selected`;
}

const uidOf = ({ path }: Peer, { uids }: GmailMessage) => uids.get(path) ?? 0;
const uidsOf = (peer: Peer, mail: GmailMail) => mail.shownIn(peer.path).map((message) => uidOf(peer, message));

/** Those of a set such as `1:3,7,9:*`. */
function chosen({ peer, mail }: Asked, set: string): GmailMessage[] {
  const shown = mail.shownIn(peer.path);
  const last = shown.at(-1);
  const numberOf = (text: string) => (text === '*' ? (last && uidOf(peer, last)) || 0 : Number(text));
  const ranges = set.split(',').map((range) => range.split(':').map(numberOf));
  return shown.filter((message) =>
    ranges.some((ends) => Math.min(...ends) <= uidOf(peer, message) && uidOf(peer, message) <= Math.max(...ends)),
  );
}

function search(asked: Asked): string {
  const { peer, mail, rest } = asked;
  const [, header] = /HEADER MESSAGE-ID "?([^"]+?)"?$/i.exec(rest) ?? [];
  const [, set] = /UID ([\d:*,]+)/i.exec(rest) ?? [];
  const found = header
    ? mail.shownIn(peer.path).filter(({ raw }) => raw.includes(`Message-ID: ${header}`))
    : chosen(asked, set ?? '1:*');
  peer.say(`* SEARCH${found.map((message) => ` ${uidOf(peer, message)}`).join('')}`);
  return 'OK';
}

const quoted = (label: string) => `"${label.replaceAll('\\', '\\\\')}"`;
/** In a folder that is a label that label goes without saying. */
const OWN: Record<string, string> = { INBOX: '\\Inbox', '[Gmail]/Sent Mail': '\\Sent', '[Gmail]/Drafts': '\\Draft' };

function fetch(asked: Asked): string {
  const { peer, mail, rest } = asked;
  const [set = '', ...items] = rest.split(' ');
  const what = items.join(' ').toUpperCase();
  const since = Number(/CHANGEDSINCE (\d+)/.exec(what)?.[1] ?? 0);
  const seqs = uidsOf(peer, mail);
  for (const message of chosen(asked, set)) {
    if (message.modseq <= since) continue;
    const uid = uidOf(peer, message);
    const labels = [...message.labels].filter((label) => label !== OWN[peer.path]);
    const said = [
      `UID ${uid} MODSEQ (${message.modseq}) X-GM-MSGID ${message.id}`,
      ...(what.includes('X-GM-LABELS') ? [`X-GM-LABELS (${labels.map(quoted).join(' ')})`] : []),
      ...(what.includes('FLAGS') ? [`FLAGS (${[...message.flags].join(' ')})`] : []),
      ...(what.includes('RFC822.SIZE') ? [`RFC822.SIZE ${message.raw.length}`] : []),
      ...(what.includes('INTERNALDATE') ? [`INTERNALDATE "${internalDate(message.date)}"`] : []),
    ].join(' ');
    const isWhole = what.includes('BODY.PEEK[]');
    const head = `* ${seqs.indexOf(uid) + 1} FETCH (${said}`;
    if (isWhole) peer.say(`${head} BODY[]<0> {${message.raw.length}}`, message.raw, ')');
    else peer.say(`${head})`);
  }
  return 'OK';
}

function internalDate(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}-${month}-${year} ${time} +0000`;
}

function store(asked: Asked): string {
  const [, set = '', sign, flags = ''] = /^(\S+) ([+-])FLAGS\S* \((.*)\)/i.exec(asked.rest) ?? [];
  for (const message of chosen(asked, set))
    asked.mail.change(message, (one) => {
      for (const flag of flags.split(' ')) {
        if (sign === '+') one.flags.add(flag);
        else one.flags.delete(flag);
      }
    });
  return 'OK';
}

function move(asked: Asked): string {
  const { peer, mail, rest } = asked;
  const [, set = '', to = ''] = /^(\S+) (.*)$/.exec(rest) ?? [];
  const [path = ''] = pathsIn(to);
  const moved = chosen(asked, set).map((message) => {
    const from = uidOf(peer, message);
    mail.change(message, (one) => {
      if (path.endsWith('Trash') || path.endsWith('Spam')) one.keptIn = path.endsWith('Trash') ? 'Trash' : 'Spam';
      else one.keptIn = 'All Mail';
      if (one.keptIn !== 'All Mail' || peer.path === 'INBOX') one.labels.delete('\\Inbox');
    });
    return [from, message.uids.get(path) ?? 0];
  });
  const uids = (end: 0 | 1) => moved.map((pair) => pair[end]).join(',');
  if (moved.length > 0) peer.say(`* OK [COPYUID ${UID_VALIDITY} ${uids(0)} ${uids(1)}] moved`);
  return 'OK';
}

/** For ever only out of Trash and Spam; among all mail there is nothing that this takes away. */
function expunge(asked: Asked): string {
  const { peer, mail, rest } = asked;
  if (peer.path.endsWith('Trash') || peer.path.endsWith('Spam'))
    for (const message of chosen(asked, rest)) if (message.flags.has('\\Deleted')) mail.remove(message);
  return 'OK';
}

function append({ mail, rest, command }: Asked): string {
  const [path = ''] = pathsIn(rest);
  const flags = /\(([^)]*)\)/.exec(rest)?.[1]?.split(' ').filter(Boolean) ?? [];
  const message = mail.add(command.literals.at(-1) ?? Buffer.alloc(0), OWN[path] ? [OWN[path]] : [], flags);
  return `OK [APPENDUID ${UID_VALIDITY} ${message.uids.get(path) ?? 0}] appended`;
}

/** Reports the changes of the selected folder to the client. */
function tellNews(peer: Peer, mail: GmailMail): void {
  if (peer.path === '') return;
  const now = uidsOf(peer, mail);
  for (const uid of peer.known.toReversed())
    if (!now.includes(uid)) {
      peer.say(`* ${peer.known.indexOf(uid) + 1} EXPUNGE`);
      peer.known.splice(peer.known.indexOf(uid), 1);
    }
  if (now.length > peer.known.length) peer.say(`* ${now.length} EXISTS`);
  for (const message of mail.shownIn(peer.path))
    if (message.modseq > peer.knownTo && peer.known.includes(uidOf(peer, message)))
      peer.say(
        `* ${now.indexOf(uidOf(peer, message)) + 1} FETCH (UID ${uidOf(peer, message)} MODSEQ (${message.modseq}) FLAGS (${[...message.flags].join(' ')}))`,
      );
  peer.known = now;
  peer.knownTo = mail.modseq();
}
