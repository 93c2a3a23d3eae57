import type { StoredFolderType } from '@postroom/contract/lists';
import { specialUse } from 'imapflow/lib/special-use.js';
import type { ListedFolder } from '../imap/imap-connection.ts';
import { isOpen } from '../imap/valid-folders.ts';
import { isInbox } from './folder.ts';

export interface TypedFolder extends Pick<ListedFolder, 'path' | 'name' | 'delimiter'> {
  type: StoredFolderType;
}

const TYPES: Readonly<Record<string, StoredFolderType>> = {
  '\\Sent': 'SENT',
  '\\Drafts': 'DRAFTS',
  '\\Junk': 'SPAM',
  '\\Trash': 'TRASH',
};
/** A folder that shows messages of other folders. A sync of it would store all mail twice. */
const VIRTUAL = ['\\All', '\\Flagged', '\\Important'];
/** An attribute is the provider's own word, a name is what people usually call such a folder. */
const TRUST = ['extension', 'name', 'name-guess'] as const;

/** Finds one folder of each type, by its attribute, or by its name in the usual languages. */
export function typedFolders(listed: readonly ListedFolder[]): TypedFolder[] {
  const real = listed.filter(isOpen).filter(({ flags }) => !VIRTUAL.some((flag) => flags.has(flag)));
  const chosen = new Map<string, StoredFolderType>();
  for (const source of TRUST)
    for (const folder of real) {
      const type = typeBy(source, folder);
      if (type && !chosen.has(folder.path) && ![...chosen.values()].includes(type)) chosen.set(folder.path, type);
    }
  return real.map(({ path, name, delimiter, ...folder }) => ({
    path,
    name,
    delimiter,
    type: isInbox({ path, ...folder }) ? 'INBOX' : (chosen.get(path) ?? 'OTHER'),
  }));
}

function typeBy(source: (typeof TRUST)[number], folder: ListedFolder): StoredFolderType | undefined {
  if (isInbox(folder)) return undefined;
  const found = specialUse(true, folder);
  if (found.source !== source || found.flag === null) return undefined;
  // A project may have a folder named Sent: below others only the provider's own word counts.
  if (source !== 'extension' && !isOnTop(folder)) return undefined;
  return TYPES[found.flag];
}

/** At the top, or right below the inbox, where some providers keep everything. */
function isOnTop({ parent }: ListedFolder): boolean {
  return parent.length === 0 || (parent.length === 1 && parent[0]?.toUpperCase() === 'INBOX');
}
