import { describe, expect, it } from '@jest/globals';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';
import { manualClock } from '@postroom/runtime/clock';
import { type AtCall, dying, ordersOfTwo, interleave, watched } from '../../../../test/support/interleavings.ts';
import { type NewChange, toNewChange } from './new-change.ts';
import { createAppend } from './append.ts';
import type { Numbered } from '../feed/change-store.ts';
import type { EmailFacts } from './email-state-store.ts';

const W = 'wsp_1';
const clock = manualClock();
const alive: AtCall = (_name, call) => call();

/** MongoDB as far as the feed needs it: both unique keys, and an ordered insert that stops at the first duplicate. */
function feedWorld(states: Partial<EmailFacts>[] = []) {
  const feed: ChangeDocument[] = [];
  const emails = new Map(states.map((state) => [state._id ?? '', state as EmailFacts]));
  const changes = {
    head: async () => feed.at(-1)?.seq ?? 0,
    known: async (_w: string, ids: readonly string[]) =>
      new Map(feed.flatMap(({ _id, seq }) => (ids.includes(_id) ? [[_id, seq] as const] : []))),
    last: async (_w: string, aspect: string, exceptId: string) =>
      feed.findLast(({ _id, aspects }) => _id !== exceptId && aspects.includes(aspect)) ?? null,
    append: async (workspaceId: string, documents: readonly Numbered[]) => {
      for (const document of documents) {
        if (feed.some(({ _id, seq }) => _id === document._id || seq === document.seq)) return false;
        feed.push({ ...document, workspaceId });
      }
      return true;
    },
  };
  const store = { find: async (_w: string, ids: readonly string[]) => ids.flatMap((id) => emails.get(id) ?? []) };
  const append = (at: AtCall) => createAppend({ changes: watched(changes, at), emails: watched(store, at), clock });
  return { feed, emails, append };
}

const state = (parts: Partial<EmailFacts> = {}): Partial<EmailFacts> => ({
  _id: 'eml_1',
  folderId: 'f',
  folderType: 'INBOX',
  isRead: false,
  isStarred: false,
  labelIds: [],
  ...parts,
});
let time = 0;
const about = (id: string) => ({ id, workspaceId: W, occurredAt: new Date((time += 1)) });
const read = (id: string, isRead: boolean): NewChange =>
  toNewChange({
    ...about(id),
    type: 'email.updated',
    data: { emailId: 'eml_1', mailboxId: 'm', changes: { isRead, isStarred: undefined } },
  });
const created = (id: string): NewChange =>
  toNewChange({ ...about(id), type: 'email.created', data: { emailId: 'eml_1', mailboxId: 'm', folderType: 'INBOX' } });
const removed = (id: string): NewChange =>
  toNewChange({ ...about(id), type: 'email.removed', data: { emailId: 'eml_1', mailboxId: 'm' } });
const deleted = (id: string): NewChange =>
  toNewChange({ ...about(id), type: 'email.deleted', data: { emailId: 'eml_1', mailboxId: 'm' } });
const applied = (id: string): NewChange => {
  const data = { emailId: 'eml_1', mailboxId: 'm', tagId: 'lbl', tagName: 'L', isAiLabel: false };
  return toNewChange({ ...about(id), type: 'label.applied', data });
};
const labelRemoved = (id: string): NewChange =>
  toNewChange({ ...about(id), type: 'label.removed', data: { emailId: 'eml_1', mailboxId: 'm', tagId: 'lbl' } });

const numbers = (feed: readonly ChangeDocument[]) => feed.map(({ seq }) => seq);
/** The events among the changes, without those that are said once more. */
const eventsIn = (feed: readonly ChangeDocument[]) =>
  feed.flatMap(({ _id }) => (/^evt_\d$/.test(_id) ? [_id] : [])).toSorted();
const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
const said = (feed: readonly ChangeDocument[]) =>
  feed.map(({ event, data }) => [event, Object.values((data['changes'] ?? {}) as object)[0]]);

describe('two processes that append at once', () => {
  const first = [created('evt_1'), read('evt_2', true)];
  const second = [applied('evt_3'), read('evt_2', true)];

  it('give every event one number without a gap, in every order of their calls', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { feed, append } = feedWorld([state({ isRead: true, labelIds: ['lbl'] })]);
      const calls = await interleave([(at) => append(at)(W, first), (at) => append(at)(W, second)], schedule);
      expect(numbers(feed)).toEqual(upTo(feed.length));
      expect(eventsIn(feed)).toEqual(['evt_1', 'evt_2', 'evt_3']);
      return calls;
    };
    const calls = await play((call) => call % 2);
    let orders = 0;
    for (const schedule of ordersOfTwo(calls)) {
      orders += 1;
      await play(schedule);
    }
    expect(orders).toBeGreaterThan(30);
  });

  it('lose and double nothing where one of them is killed at any call, and its events come again', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; deadly <= 8; deadly += 1) {
        for (let start = 0; start <= 8; start += 1) {
          const { feed, append } = feedWorld([state({ isRead: true, labelIds: ['lbl'] })]);
          const death = dying(deadly, when);
          const mortal = (at: AtCall) =>
            append((name, call) => death.at(name, () => at(name, call)))(W, first).catch(() => 0);
          await interleave([mortal, (at) => append(at)(W, second)], (call) => (call < start ? 0 : 1));
          await append(alive)(W, first);
          expect(numbers(feed)).toEqual(upTo(feed.length));
          expect(eventsIn(feed)).toEqual(['evt_1', 'evt_2', 'evt_3']);
        }
      }
    }
  });
});

it('the newest number is read once in a burst, and again after another process appended or a second passed', async () => {
  const { feed, append } = feedWorld([state()]);
  const calls: string[] = [];
  const one = append((name, call) => (calls.push(name), call()));
  await one(W, [created('evt_1')]);
  await one(W, [read('evt_2', false)]);
  expect(calls).toEqual(['head', 'find', 'append', 'find', 'append']);
  await append(alive)(W, [applied('evt_3')]);
  await one(W, [labelRemoved('evt_4')]);
  expect(calls.filter((name) => name === 'head')).toHaveLength(2);
  await clock.advance(1_000);
  await one(W, [read('evt_5', false)]);
  expect(calls.slice(-3)).toEqual(['head', 'find', 'append']);
  expect(numbers(feed)).toEqual(upTo(5));
});

describe('the last change about a fact says what the state says', () => {
  const final = (feed: readonly ChangeDocument[]) => said(feed).at(-1);

  it('where events of one email come in any order, in any batches', async () => {
    const events = () => [read('evt_1', true), read('evt_2', false), read('evt_3', true), read('evt_4', false)];
    for (const order of permutations([0, 1, 2, 3])) {
      const { feed, append } = feedWorld([state()]);
      for (const n of order) await append(alive)(W, [events()[n] as NewChange]);
      expect(final(feed)).toEqual(['email.updated', false]);
      expect(new Set(feed.map(({ _id }) => _id)).size).toBe(feed.length);
      const whole = feedWorld([state()]);
      const all = events();
      await whole.append(alive)(
        W,
        order.map((n) => all[n] as NewChange),
      );
      expect(said(whole.feed).map(([, value]) => value)).toEqual([true, false, true, false]);
    }
  });

  it('where a late event comes with a repeat of the newest', async () => {
    const { feed, append } = feedWorld([state()]);
    const [late, newest] = [read('evt_1', true), read('evt_2', false)];
    await append(alive)(W, [newest]);
    await append(alive)(W, [late, newest]);
    expect(final(feed)).toEqual(['email.updated', false]);
    expect(feed).toHaveLength(3);
  });

  it('and the feed does not grow where all events come again, one by one or together', async () => {
    const { feed, append } = feedWorld([state({ labelIds: ['lbl'] })]);
    const events = [created('evt_1'), read('evt_2', true), deleted('evt_3'), applied('evt_4'), read('evt_5', false)];
    const trashed = { ...created('evt_6'), aspects: ['eml_1 folder'], event: 'email.moved' };
    const all = [...events, { ...trashed, data: { ...trashed.data, folderId: 'f' } }];
    for (const event of all) await append(alive)(W, [event]);
    const before = feed.map(({ _id }) => _id);
    for (const event of all) await append(alive)(W, [event]);
    await append(alive)(W, all);
    expect(feed.map(({ _id }) => _id)).toEqual(before);
    expect(before.filter((id) => /^evt_\d$/.test(id))).toHaveLength(6);
  });

  it('where the state changes between any two calls of two processes', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { feed, emails, append } = feedWorld([state({ isRead: true })]);
      const older = read('evt_1', true);
      const newer = read('evt_2', false);
      const change = async (at: AtCall) => {
        await at('write', async () => void emails.set('eml_1', state() as EmailFacts));
        await append(at)(W, [newer]);
      };
      const calls = await interleave([(at) => append(at)(W, [older]), change], schedule);
      expect(final(feed)).toEqual(['email.updated', false]);
      return calls;
    };
    const calls = await play((call) => call % 2);
    for (const schedule of ordersOfTwo(calls)) await play(schedule);
  });

  it('where a process is killed at any call of a late event, which then comes again', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; deadly <= 6; deadly += 1) {
        const { feed, append } = feedWorld([state()]);
        const [late, newest] = [read('evt_1', true), read('evt_2', false)];
        await append(alive)(W, [newest]);
        await append(dying(deadly, when).at)(W, [late]).catch(() => 0);
        await append(alive)(W, [late]);
        expect(final(feed)).toEqual(['email.updated', false]);
        expect(numbers(feed)).toEqual(upTo(3));
      }
    }
  });

  it('where an arrival, a move to the trash and a removal come the wrong way round', async () => {
    const gone = feedWorld([]);
    for (const event of [removed('evt_3'), deleted('evt_2'), created('evt_1')]) await gone.append(alive)(W, [event]);
    expect(gone.feed.at(-1)?.event).toBe('email.removed');
    const trashed = feedWorld([state({ folderType: 'TRASH' })]);
    for (const event of [deleted('evt_2'), created('evt_1')]) await trashed.append(alive)(W, [event]);
    expect(trashed.feed.map(({ event }) => event)).toEqual(['email.deleted', 'email.created', 'email.deleted']);
    const labels = feedWorld([state()]);
    for (const event of [labelRemoved('evt_2'), applied('evt_1')]) await labels.append(alive)(W, [event]);
    expect(labels.feed.at(-1)?.event).toBe('label.removed');
  });

  it('where flags of an email come before the email, each by itself and only where it is so', async () => {
    const flagged = (isRead: boolean, isStarred: boolean): NewChange =>
      toNewChange({
        ...about('evt_2'),
        type: 'email.updated',
        data: { emailId: 'eml_1', mailboxId: 'm', changes: { isRead, isStarred } },
      });
    const starred = (isStarred: boolean): NewChange =>
      toNewChange({
        ...about('evt_3'),
        type: 'email.updated',
        data: { emailId: 'eml_1', mailboxId: 'm', changes: { isRead: undefined, isStarred } },
      });
    const feedOf = async (parts: Partial<EmailFacts>, ...events: NewChange[]) => {
      const { feed, append } = feedWorld([state(parts)]);
      const arrival = created('evt_1');
      for (const event of [...events, arrival, arrival]) await append(alive)(W, [event]);
      return feed.slice(events.length).map(({ event, data }) => [event, data['changes']]);
    };
    const appears = ['email.created', undefined];
    expect(await feedOf({ isRead: true, isStarred: true }, flagged(true, true))).toEqual([
      appears,
      ['email.updated', { isRead: true }],
      ['email.updated', { isStarred: true }],
    ]);
    expect(await feedOf({ isRead: true }, flagged(true, true), starred(false))).toEqual([
      appears,
      ['email.updated', { isRead: true }],
    ]);
    // Nothing was told of it, or the event of it is still to come.
    expect(await feedOf({ isRead: true })).toEqual([appears]);
    expect(await feedOf({ isStarred: true }, starred(false))).toEqual([appears]);
  });

  it('where labels of an email come before the email, also where a process is killed at any call between', async () => {
    const labelled = [state({ labelIds: ['lbl'] })];
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; deadly <= 6; deadly += 1) {
        const { feed, append } = feedWorld(labelled);
        const [arrival, label] = [created('evt_1'), applied('evt_2')];
        await append(alive)(W, [label]);
        await append(dying(deadly, when).at)(W, [arrival]).catch(() => 0);
        await append(alive)(W, [arrival]);
        expect(feed.map(({ event }) => event)).toEqual(['label.applied', 'email.created', 'label.applied']);
      }
    }
    const inOrder = feedWorld(labelled);
    const [arrival, label] = [created('evt_1'), applied('evt_2')];
    for (const event of [arrival, label, arrival]) await inOrder.append(alive)(W, [event]);
    expect(inOrder.feed).toHaveLength(2);
  });

  it('where a label comes with the email, and the clock of its process is behind', async () => {
    const { feed, append } = feedWorld([state({ labelIds: ['lbl'] })]);
    const [label, arrival] = [applied('evt_1'), created('evt_2')];
    await append(alive)(W, [label, arrival]);
    expect(feed.map(({ event }) => event)).toEqual(['email.created', 'label.applied']);
  });

  it('and a removal waits for the deletion that it announces', async () => {
    const { append, feed } = feedWorld([state({ messageKey: 'removed:eml_1' })]);
    const event = { ...removed('evt_1'), createdAt: clock.date() };
    await expect(append(alive)(W, [event])).rejects.toMatchObject({ name: 'RetryLater' });
    expect(feed).toEqual([]);
  });
});

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
