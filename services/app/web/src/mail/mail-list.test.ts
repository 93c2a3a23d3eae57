import { describe, expect, it } from '@jest/globals';
import type { MailItemAnswer } from '@postroom/app/answers';
import {
  EMPTY_LIST,
  neighboursOf,
  shownItems,
  withChanges,
  withHidden,
  withNewestPage,
  withNextPage,
} from './mail-list.ts';

const SIZE = 3;
const item = (at: number) =>
  ({ id: `email_${at}`, date: new Date(at * 1_000).toISOString() }) as unknown as MailItemAnswer;

/** A mailbox whose emails come and go, read by pages as the server gives them. */
function mailbox(count: number) {
  let emails = Array.from({ length: count }, (_, at) => item(at)).reverse();
  let latest = count;
  return {
    page: (cursor: string | null) => {
      const from = cursor === null ? emails : emails.filter(({ date }) => date < cursor);
      const items = from.slice(0, SIZE);
      const hasMore = from.length > SIZE;
      return { items, hasMore, nextCursor: hasMore ? (items.at(-1)?.date ?? null) : null };
    },
    receive: () => (emails = [item((latest += 1)), ...emails]),
    remove: (at: number) => (emails = emails.toSpliced(at, 1)),
    ids: () => emails.map(({ id }) => id),
  };
}

type Step = 'next' | 'newest' | 'receive' | 'flood' | 'remove newest' | 'remove oldest';
const STEPS: readonly Step[] = ['next', 'newest', 'receive', 'flood', 'remove newest', 'remove oldest'];
const LENGTH = 4;

const sequences = (length: number): Step[][] =>
  length === 0 ? [[]] : sequences(length - 1).flatMap((steps) => STEPS.map((step) => [...steps, step]));

describe('a list that is read page by page while mail comes and goes', () => {
  it('neither repeats nor loses an email, in any order of reading and receiving', () => {
    for (const steps of sequences(LENGTH)) {
      const box = mailbox(7);
      let list = withNextPage(EMPTY_LIST, box.page(null));
      for (const step of steps) {
        if (step === 'next' && list.nextCursor !== null) list = withNextPage(list, box.page(list.nextCursor));
        if (step === 'newest') list = withNewestPage(list, box.page(null));
        if (step === 'receive') box.receive();
        if (step === 'flood') for (let more = 0; more < 2 * SIZE; more += 1) box.receive();
        if (step === 'remove newest') box.remove(0);
        if (step === 'remove oldest') box.remove(-1);
      }
      list = withNewestPage(list, box.page(null));
      while (list.nextCursor !== null) list = withNextPage(list, box.page(list.nextCursor));
      const ids = list.items.map(({ id }) => id);
      const described = steps.join(', ');
      expect([described, new Set(ids).size]).toEqual([described, ids.length]);
      expect([described, box.ids().filter((id) => !ids.includes(id))]).toEqual([described, []]);
      expect([described, ids]).toEqual([described, ids.toSorted((a, b) => order(b) - order(a))]);
    }
  });

  it('leaves out what a person did away with, also after the server lists it again', () => {
    const box = mailbox(5);
    let list = withHidden(withNextPage(EMPTY_LIST, box.page(null)), ['email_4'], true);
    list = withNewestPage(list, box.page(null));
    expect(shownItems(list).map(({ id }) => id)).toEqual(['email_3', 'email_2']);
    expect(shownItems(withHidden(list, ['email_4'], false))[0]?.id).toBe('email_4');
  });
});

describe('a list to which changes of others are told', () => {
  const list = withNextPage(EMPTY_LIST, mailbox(3).page(null));
  const idsAfter = (folderType: string | null, ...changes: Parameters<typeof withChanges>[2]) =>
    withChanges(list, folderType, changes).items.map(({ id }) => id);
  const moved = (folderType: string) => ({ event: 'email.moved', emailId: 'email_1', folderType });

  it('shows flags as the last change left them, and is the same list where none of it is in it', () => {
    const updated = (emailId: string, changes: object) => ({ event: 'email.updated', emailId, changes });
    const after = withChanges(list, 'INBOX', [
      updated('email_1', { isRead: true }),
      updated('email_1', { isStarred: true }),
      updated('email_1', { isRead: false }),
    ]);
    expect(after.items[1]).toMatchObject({ id: 'email_1', isRead: false, isStarred: true });
    expect(after.items[0]).toBe(list.items[0]);
    expect(withChanges(list, 'INBOX', [updated('email_9', { isRead: true })])).toBe(list);
  });

  it('leaves out what has left its folder, and nothing of a list of all folders but what is gone', () => {
    const all = ['email_2', 'email_1', 'email_0'];
    const rest = ['email_2', 'email_0'];
    expect(idsAfter('INBOX', { event: 'email.deleted', emailId: 'email_1' })).toEqual(rest);
    expect(idsAfter('INBOX', moved('SENT'))).toEqual(rest);
    expect(idsAfter('INBOX', moved('TRASH'), moved('INBOX'))).toEqual(all);
    expect(idsAfter('TRASH', { event: 'email.deleted', emailId: 'email_1' })).toEqual(all);
    expect(idsAfter(null, moved('SENT'))).toEqual(all);
    expect(idsAfter(null, { event: 'email.removed', emailId: 'email_1' })).toEqual(rest);
  });
});

describe('the emails beside one', () => {
  const items = [item(5), item(3), item(1)];

  it('are found by its date also when it has left the list', () => {
    expect(neighboursOf(items, item(3))).toEqual({ previous: item(5), next: item(1) });
    expect(neighboursOf(items, item(4))).toEqual({ previous: item(5), next: item(3) });
    expect(neighboursOf(items, item(0))).toEqual({ previous: item(1), next: undefined });
    expect(neighboursOf(items, item(9))).toEqual({ previous: undefined, next: item(5) });
  });
});

const order = (id: string) => Number(id.slice('email_'.length));
