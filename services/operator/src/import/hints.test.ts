import { expect, it } from '@jest/globals';
import { hintsFromHeaders } from './hints.ts';

const hints = (...lines: string[]) => hintsFromHeaders(Buffer.from([...lines, '', 'Status: R', ''].join('\r\n')));

it('says nothing where the headers say nothing', () => {
  expect(hints('Subject: Status: R')).toEqual({});
});

it('reads the status of mbox programs', () => {
  expect(hints('Status: RO', 'X-Status: AF')).toEqual({ isRead: true, isStarred: true });
  expect(hints('Status: O')).toEqual({ isRead: false });
});

it('reads the bits of Thunderbird', () => {
  expect(hints('X-Mozilla-Status: 0005')).toEqual({ isRead: true, isStarred: true });
  expect(hints('X-Mozilla-Status: 0000')).toEqual({ isRead: false, isStarred: false });
  expect(hints('X-Mozilla-Status: nonsense')).toEqual({});
});

it('reads the labels of a Gmail export, also over two lines', () => {
  expect(hints('X-Gmail-Labels: Archived,Sent,', ' Starred')).toEqual({
    isRead: true,
    isStarred: true,
    folderType: 'SENT',
  });
  expect(hints('X-Gmail-Labels: Inbox,Unread')).toEqual({ isRead: false, isStarred: false });
});
