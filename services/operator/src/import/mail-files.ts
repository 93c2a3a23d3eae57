import type { Dirent } from 'node:fs';
import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderType } from '@postroom/contract/lists';
import { CommandRefusal } from '../command/command-deps.ts';
import type { Hints } from './hints.ts';
import { folderOfDirectory, hintsFromName } from './maildir.ts';

/** A file with one message, or an mbox with many. */
export interface MailFile {
  path: string;
  size: number;
  hints: Hints;
}

const MAIL_NAMES = /(\.eml|\.mbox|\.mbx|^mbox)$/i;
const BOXES = ['cur', 'new'] as const;

/** All files with mail under the given paths. The list is not kept in memory, so a folder may hold millions. */
export async function* mailFiles(paths: readonly string[]): AsyncGenerator<MailFile> {
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new CommandRefusal(
        `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file or folder' : error.message}`,
      );
    });
    if (found.isDirectory()) yield* filesOfDirectory(path, undefined);
    else yield { path, size: found.size, hints: {} };
  }
}

async function* filesOfDirectory(path: string, inherited: FolderType | undefined): AsyncGenerator<MailFile> {
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const isDirectory = (name: string) => entries.some((entry) => entry.name === name && entry.isDirectory());
  const boxes = BOXES.filter(isDirectory);
  const folderType = folderOfDirectory(path) ?? inherited;
  for (const box of boxes) yield* filesOfBox(join(path, box), box, folderType);
  // The other folders of a Maildir are inside it and begin with a dot. "tmp" holds messages that are not delivered yet.
  const isMaildir = boxes.length > 0;
  for (const entry of entries) {
    if (entry.isDirectory() && isWorthEntering(entry, isMaildir))
      yield* filesOfDirectory(join(path, entry.name), undefined);
    else if (entry.isFile() && !isMaildir && MAIL_NAMES.test(entry.name))
      yield* fileAt(join(path, entry.name), { folderType });
  }
}

function isWorthEntering(entry: Dirent, isMaildir: boolean): boolean {
  return isMaildir ? entry.name.startsWith('.') : !entry.name.startsWith('.');
}

async function* filesOfBox(
  path: string,
  box: (typeof BOXES)[number],
  folderType: FolderType | undefined,
): AsyncGenerator<MailFile> {
  for await (const entry of await opendir(path)) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    yield* fileAt(join(path, entry.name), { ...(folderType && { folderType }), ...hintsFromName(entry.name, box) });
  }
}

async function* fileAt(path: string, hints: Hints): AsyncGenerator<MailFile> {
  // A running mail server renames its files, so a missing file is still in the mailbox under another name.
  const found = await stat(path).catch(() => undefined);
  if (found) yield { path, size: found.size, hints };
}
