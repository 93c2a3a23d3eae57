import { describe, expect, it } from '@jest/globals';
import type { ListedFolder } from '../imap/imap-connection.ts';
import { typedFolders } from './folder-types.ts';

const folder = (path: string, ...flags: string[]): ListedFolder => {
  const levels = path.split('/');
  return {
    path,
    name: levels.at(-1) ?? '',
    delimiter: '/',
    parent: levels.slice(0, -1),
    flags: new Set(flags),
    specialUse: undefined,
    specialUseSource: undefined,
    status: null,
  };
};
const typesOf = (...folders: ListedFolder[]) =>
  Object.fromEntries(typedFolders(folders).map(({ path, type }) => [path, type]));

describe('the folders of a provider', () => {
  it('are told apart by the attributes it gives, whatever their names', () => {
    const folders = [folder('INBOX'), folder('Alpha', '\\Sent'), folder('Beta', '\\Trash'), folder('Sent')];
    expect(typesOf(...folders)).toEqual({ INBOX: 'INBOX', Alpha: 'SENT', Beta: 'TRASH', Sent: 'OTHER' });
  });

  it.each([
    ['Sent', 'Drafts', 'Junk', 'Trash'],
    ['Gesendet', 'Entw\u00fcrfe', 'Spam', 'Papierkorb'],
    ['\u00c9l\u00e9ments envoy\u00e9s', 'Brouillons', 'Courrier ind\u00e9sirable', 'Corbeille'],
    ['Sent Items', 'Drafts', 'Junk E-mail', 'Deleted Items'],
  ])('without attributes by their usual names: %s, %s, %s, %s', (sent, drafts, spam, trash) => {
    const types = typesOf(folder('INBOX'), folder(sent), folder(drafts), folder(spam), folder(trash));
    expect(Object.values(types)).toEqual(['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH']);
  });

  it('by name at the top or right below the inbox only: a project may have a Sent of its own', () => {
    expect(typesOf(folder('INBOX'), folder('Projects/Sent'))).toEqual({ INBOX: 'INBOX', 'Projects/Sent': 'OTHER' });
    expect(typesOf(folder('INBOX'), folder('INBOX/Sent'))).toEqual({ INBOX: 'INBOX', 'INBOX/Sent': 'SENT' });
  });

  it('are one of each type: of two that could be meant the plainer name is', () => {
    const types = typesOf(folder('INBOX'), folder('My Sent Mails'), folder('Sent'));
    expect(types).toEqual({ INBOX: 'INBOX', 'My Sent Mails': 'OTHER', Sent: 'SENT' });
  });

  it('are not opened where that is not possible, or where all mail would be seen twice', () => {
    expect(typesOf(folder('INBOX'), folder('[Gmail]', '\\Noselect'), folder('Starred', '\\Flagged'))).toEqual({
      INBOX: 'INBOX',
    });
  });
});
