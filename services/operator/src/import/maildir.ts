import { basename } from 'node:path';
import type { FolderType } from '@postroom/contract/lists';
import type { Hints } from './hints.ts';

const FOLDERS: readonly [pattern: RegExp, folderType: FolderType][] = [
  [/\b(sent|sent items|sent mail|gesendet)$/i, 'SENT'],
  [/\b(drafts?|entw(ü|u)rfe)$/i, 'DRAFTS'],
  [/\b(junk|spam)$/i, 'SPAM'],
  [/\b(trash|deleted items|deleted messages|papierkorb)$/i, 'TRASH'],
];

/** The flags in the name of a message file: "1700000000.M1P2.host:2,FS" is read and starred. */
export function hintsFromName(name: string, folder: 'cur' | 'new'): Hints {
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? '';
  return {
    isRead: folder === 'cur' && flags.includes('S'),
    isStarred: flags.includes('F'),
    ...(flags.includes('D') && { folderType: 'DRAFTS' as const }),
    ...(flags.includes('T') && { folderType: 'TRASH' as const }),
  };
}

/** The folder type that a directory name means, such as ".Sent" or "INBOX.Junk". */
export function folderOfDirectory(path: string): FolderType | undefined {
  const name = basename(path).split('.').at(-1) ?? '';
  return FOLDERS.find(([pattern]) => pattern.test(name))?.[1];
}
