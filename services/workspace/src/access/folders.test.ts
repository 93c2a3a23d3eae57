import { describe, expect, it } from '@jest/globals';
import type { FolderPart } from '@postroom/mail-store/documents/mailbox';
import type { StoredFolderType } from '@postroom/contract/lists';
import { mergeFolders, type SyncedFolder } from './folders.ts';

const atConnect: FolderPart[] = (['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'] as const).map((type) => ({
  id: `first-${type}`,
  name: type,
  type,
}));
const listed = (path: string, type: StoredFolderType = 'OTHER', id?: string): SyncedFolder => ({
  path,
  name: path,
  type,
  delimiter: '/',
  ...(id && { id }),
});
let made = 0;
const newId = () => `new-${++made}`;
const merge = (known: FolderPart[], ...folders: SyncedFolder[]) => {
  made = 0;
  return mergeFolders(known, folders, newId);
};
const idsByPath = (folders: FolderPart[]) => Object.fromEntries(folders.map(({ path, id }) => [path ?? '', id]));

describe('the folders of a mailbox', () => {
  it('that were made at its connection become those of the provider, by type, once', () => {
    const first = merge(
      atConnect,
      listed('INBOX', 'INBOX'),
      listed('Gesendet', 'SENT'),
      listed('Drafts', 'DRAFTS'),
      listed('Trash', 'TRASH'),
    );
    expect(idsByPath(first)).toEqual({
      INBOX: 'first-INBOX',
      Gesendet: 'first-SENT',
      Drafts: 'first-DRAFTS',
      Trash: 'first-TRASH',
    });
    const again = merge(first, listed('INBOX', 'INBOX'), listed('Sent', 'SENT'), listed('Gesendet'));
    expect(idsByPath(again)).toMatchObject({ Sent: 'new-1', Gesendet: 'first-SENT' });
  });

  it('keep their ids when they are listed again, in any order and with another type', () => {
    const known = merge(atConnect, listed('INBOX', 'INBOX'), listed('Work'), listed('Bin'));
    const again = merge(known, listed('Bin', 'TRASH'), listed('Work'), listed('INBOX', 'INBOX'));
    expect(idsByPath(again)).toMatchObject({ INBOX: 'first-INBOX', Work: 'new-1', Bin: 'new-2' });
  });

  it('keep their ids over a new name, also when another takes the old one, or two change places', () => {
    const known = merge(atConnect, listed('INBOX', 'INBOX'), listed('A'), listed('B'));
    const renamed = merge(known, listed('INBOX', 'INBOX'), listed('A'), listed('A2', 'OTHER', 'new-1'), listed('B'));
    expect(idsByPath(renamed)).toMatchObject({ A2: 'new-1', A: 'new-1'.replace('1', '1'), B: 'new-2' });
    const swapped = merge(known, listed('A', 'OTHER', 'new-2'), listed('B', 'OTHER', 'new-1'));
    expect(idsByPath(swapped)).toMatchObject({ A: 'new-2', B: 'new-1' });
  });

  it('are gone when the provider has them no more', () => {
    const known = merge(atConnect, listed('INBOX', 'INBOX'), listed('Work'), listed('Trash', 'TRASH'));
    expect(idsByPath(merge(known, listed('INBOX', 'INBOX')))).not.toHaveProperty('Work');
    expect(merge(known, listed('INBOX', 'INBOX')).map(({ type }) => type)).not.toContain('TRASH');
  });

  it('for sent mail and drafts stay here where the provider has none; no trash is pretended', () => {
    const types = merge(atConnect, listed('INBOX', 'INBOX')).map(({ type }) => type);
    expect(types).toEqual(['INBOX', 'SENT', 'DRAFTS']);
  });

  it('are not taken by a hint that names no folder of this mailbox', () => {
    const known = merge(atConnect, listed('INBOX', 'INBOX'), listed('Work'));
    expect(idsByPath(merge(known, listed('Work', 'OTHER', 'foreign')))).toMatchObject({ Work: 'new-1' });
  });
});
