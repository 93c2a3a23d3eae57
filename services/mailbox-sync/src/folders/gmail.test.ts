import { expect, it } from '@jest/globals';
import type { ListedFolder } from '../imap/imap-connection.ts';
import { gmailFolders, shownIn } from './gmail.ts';

const folder = (path: string, ...flags: string[]): ListedFolder => ({
  path,
  name: path,
  delimiter: '/',
  parent: [],
  flags: new Set(flags),
  specialUse: undefined,
  specialUseSource: undefined,
  status: null,
});
const rest = [folder('INBOX'), folder('Work'), folder('Papierkorb', '\\Trash'), folder('[Gmail]', '\\Noselect')];

it('folders of Gmail are those of its own kinds, and no label of the user is one', () => {
  const types = gmailFolders([...rest, folder('Alle', '\\All')])?.map(({ path, type }) => [path, type]);
  expect(types).toEqual([
    ['INBOX', 'INBOX'],
    ['Papierkorb', 'TRASH'],
    ['Alle', 'OTHER'],
  ]);
});

it('folders of Gmail are like any others where all mail is hidden', () => {
  expect(gmailFolders(rest)).toBeNull();
});

it.each([
  [['Work', '\\Inbox'], 'inbox'],
  [['\\Inbox', '\\Sent'], 'sent'],
  [['\\Sent', '\\Draft'], 'drafts'],
  [['Work'], 'all'],
])('a message with the labels %j is shown in %s', (labels, shown) => {
  const labelFolders = (['INBOX', 'SENT', 'DRAFTS'] as const).map((type) => {
    const name = type.toLowerCase();
    return { id: name, path: name, name, type };
  });
  expect(shownIn(labelFolders, { id: 'all', type: 'OTHER' }, labels)).toBe(shown);
  expect(shownIn(labelFolders, { id: 'trash', type: 'TRASH' }, labels)).toBe('trash');
  expect(shownIn([], { id: 'all', type: 'OTHER' }, labels)).toBeUndefined();
});
