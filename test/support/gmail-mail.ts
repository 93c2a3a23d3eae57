/** A message as Gmail keeps it: once, whatever folders show it. */
export interface GmailMessage {
  id: string;
  raw: Buffer;
  date: Date;
  labels: Set<string>;
  flags: Set<string>;
  keptIn: 'All Mail' | 'Trash' | 'Spam';
  modseq: number;
  /** Every folder counts for itself. */
  uids: Map<string, number>;
}

interface GmailFolder {
  path: string;
  attribute: string;
  shows(message: GmailMessage): boolean;
}

const amongAll = ({ keptIn }: GmailMessage) => keptIn === 'All Mail';
const labelled = (path: string, attribute: string, label: string): GmailFolder => ({
  path,
  attribute,
  shows: (message) => amongAll(message) && message.labels.has(label),
});

export const GMAIL_FOLDERS: readonly GmailFolder[] = [
  labelled('INBOX', '\\HasNoChildren', '\\Inbox'),
  labelled('Work', '\\HasNoChildren', 'Work'),
  { path: '[Gmail]', attribute: '\\HasChildren \\Noselect', shows: () => false },
  { path: '[Gmail]/All Mail', attribute: '\\All', shows: amongAll },
  labelled('[Gmail]/Drafts', '\\Drafts', '\\Draft'),
  labelled('[Gmail]/Important', '\\Important', '\\Important'),
  labelled('[Gmail]/Sent Mail', '\\Sent', '\\Sent'),
  { path: '[Gmail]/Spam', attribute: '\\Junk', shows: ({ keptIn }) => keptIn === 'Spam' },
  { path: '[Gmail]/Starred', attribute: '\\Flagged', shows: (mail) => amongAll(mail) && mail.flags.has('\\Flagged') },
  { path: '[Gmail]/Trash', attribute: '\\Trash', shows: ({ keptIn }) => keptIn === 'Trash' },
];

export interface GmailMail {
  all: GmailMessage[];
  modseq(): number;
  /** Stops raising MODSEQ, although the server still announces CONDSTORE. */
  stopCounting(): void;
  uidNext(path: string): number;
  /** Messages of a folder, in ascending order of UIDs. */
  shownIn(path: string): GmailMessage[];
  add(raw: Buffer, labels: readonly string[], flags?: readonly string[], date?: Date): GmailMessage;
  /** Changes a message, and adds it to the folders that then show it. */
  change(message: GmailMessage, how: (message: GmailMessage) => void): void;
  remove(message: GmailMessage): void;
}

/** All that an account holds. */
export function createGmailMail(onChange: () => void): GmailMail {
  const all: GmailMessage[] = [];
  const next = new Map<string, number>();
  let count = 0;
  let modseq = 1;
  let isCounting = true;
  const refile = (message: GmailMessage) => {
    if (isCounting) modseq += 1;
    message.modseq = modseq;
    for (const { path, shows } of GMAIL_FOLDERS) {
      const isShown = all.includes(message) && shows(message);
      if (!isShown) message.uids.delete(path);
      else if (!message.uids.has(path)) {
        const uid = next.get(path) ?? 1;
        message.uids.set(path, uid);
        next.set(path, uid + 1);
      }
    }
    onChange();
  };
  return {
    all,
    modseq: () => modseq,
    stopCounting: () => {
      isCounting = false;
    },
    uidNext: (path) => next.get(path) ?? 1,
    shownIn: (path) =>
      all
        .filter(({ uids }) => uids.has(path))
        .toSorted((one, other) => (one.uids.get(path) ?? 0) - (other.uids.get(path) ?? 0)),
    add: (raw, labels, flags = [], date = new Date()) => {
      const message: GmailMessage = {
        id: String(1_700_000_000_000_000_000n + BigInt((count += 1))),
        raw,
        date,
        labels: new Set(labels),
        flags: new Set(flags),
        keptIn: 'All Mail',
        modseq: 0,
        uids: new Map(),
      };
      all.push(message);
      refile(message);
      return message;
    },
    change: (message, how) => {
      how(message);
      refile(message);
    },
    remove: (message) => {
      all.splice(all.indexOf(message), 1);
      refile(message);
    },
  };
}
