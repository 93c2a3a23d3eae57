import { expect, it } from '@jest/globals';
import { folderOfDirectory, hintsFromName } from './maildir.ts';

it.each([
  ['1.a.host:2,FS', 'cur', { isRead: true, isStarred: true }],
  ['1.a.host:2,', 'cur', { isRead: false, isStarred: false }],
  ['1.a.host', 'new', { isRead: false, isStarred: false }],
  ['1.a.host:2,S', 'new', { isRead: false, isStarred: false }],
  ['1.a.host;2,RS', 'cur', { isRead: true, isStarred: false }],
  ['1.a.host:2,DS', 'cur', { isRead: true, isStarred: false, folderType: 'DRAFTS' }],
  ['1.a.host:2,ST', 'cur', { isRead: true, isStarred: false, folderType: 'TRASH' }],
] as const)('%s in %s', (name, folder, hints) => {
  expect(hintsFromName(name, folder)).toEqual(hints);
});

it.each([
  ['/mail/.Sent', 'SENT'],
  ['/mail/.INBOX.Drafts', 'DRAFTS'],
  ['/mail/.Junk', 'SPAM'],
  ['/mail/.Deleted Items', 'TRASH'],
  ['/mail/.Presents', undefined],
  ['/mail/Maildir', undefined],
])('%s is %s', (path, folderType) => {
  expect(folderOfDirectory(path)).toBe(folderType);
});
