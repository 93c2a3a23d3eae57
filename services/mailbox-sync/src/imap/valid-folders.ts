import type { ListedFolder } from './imap-connection.ts';
import { ImapFault } from './imap-fault.ts';

const CLOSED = ['\\Noselect', '\\NonExistent'];
const MOST_FOLDERS = 5_000;
/** Of a path; what is longer or holds what no keyboard writes is no folder of a person's. */
const LONGEST = 1_000;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Folder names come from the provider: invalid ones are left out, and each valid one is kept once. */
export function validFolders(listed: readonly ListedFolder[]): ListedFolder[] {
  const byPath = new Map(listed.filter(isNamed).map((folder) => [folder.path, folder]));
  if (byPath.size > MOST_FOLDERS) throw new ImapFault('failed', `the provider lists more than ${MOST_FOLDERS} folders`);
  return [...byPath.values()];
}

const isNamed = ({ path, name }: ListedFolder): boolean =>
  path.length <= LONGEST && name.trim() !== '' && !CONTROL.test(path);

/** Some are listed only because others are below them. */
export const isOpen = ({ flags }: Pick<ListedFolder, 'flags'>): boolean => !CLOSED.some((flag) => flags.has(flag));
