import type { FolderType } from '@postroom/contract/lists';

/** The facts that a source gives about a message beside its text. */
export interface Hints {
  isRead?: boolean;
  isStarred?: boolean;
  folderType?: FolderType;
}

const LONGEST_HEAD = 16_384;
const MOZILLA_READ = 0x0001;
const MOZILLA_STARRED = 0x0004;

const GMAIL_FOLDERS: readonly [label: string, folderType: FolderType][] = [
  ['spam', 'SPAM'],
  ['trash', 'TRASH'],
  ['drafts', 'DRAFTS'],
  ['draft', 'DRAFTS'],
  ['sent', 'SENT'],
];

/** Mail programs keep their flags in headers of an mbox: Status, X-Status, X-Mozilla-Status, X-Gmail-Labels. */
export function hintsFromHeaders(raw: Buffer): Hints {
  const text = raw.toString('latin1', 0, LONGEST_HEAD);
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const head = text.slice(0, end);
  return { ...mboxStatus(head), ...mozillaStatus(head), ...gmailLabels(head) };
}

function mboxStatus(head: string): Hints {
  const status = headerOf(head, 'Status');
  const more = headerOf(head, 'X-Status');
  return {
    ...(status !== undefined && { isRead: status.includes('R') }),
    ...(more !== undefined && { isStarred: more.includes('F') }),
  };
}

function mozillaStatus(head: string): Hints {
  const written = headerOf(head, 'X-Mozilla-Status');
  if (written === undefined || !/^[0-9a-f]{1,8}$/i.test(written)) return {};
  const bits = Number.parseInt(written, 16);
  return { isRead: (bits & MOZILLA_READ) !== 0, isStarred: (bits & MOZILLA_STARRED) !== 0 };
}

function gmailLabels(head: string): Hints {
  const written = headerOf(head, 'X-Gmail-Labels');
  if (written === undefined) return {};
  const labels = new Set(written.split(',').map((label) => label.trim().toLowerCase()));
  const folderType = GMAIL_FOLDERS.find(([label]) => labels.has(label))?.[1];
  return {
    isRead: !labels.has('unread'),
    isStarred: labels.has('starred'),
    ...(folderType && { folderType }),
  };
}

function headerOf(head: string, name: string): string | undefined {
  const found = new RegExp(`^${name}:[ \\t]*((?:.|\\r?\\n[ \\t])*)$`, 'im').exec(head);
  return found?.[1]?.replaceAll(/\r?\n[ \t]/g, ' ').trim();
}
