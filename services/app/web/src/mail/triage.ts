import type { LabelRefAnswer, MailItemAnswer, OpenedEmailAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { queryClient } from '../api/use-answer.ts';
import { defer, makeNow } from '../parts/deferred.ts';
import { say } from '../parts/toasts.tsx';
import { withChangedItems, withHidden } from './mail-list.ts';
import { changeLists, noteChange } from './mail-loading.ts';
import { offerUndoOnce, withdrawOffer } from './offer-undo-once.ts';

export interface Triage {
  markRead(items: readonly MailItemAnswer[], isRead: boolean): void;
  star(items: readonly MailItemAnswer[], isStarred: boolean): void;
  label(items: readonly MailItemAnswer[], label: LabelRefAnswer, isOn: boolean): void;
  /** Read, and out of the list that is worked through; it stays where it is. */
  done(items: readonly MailItemAnswer[]): void;
  trash(items: readonly MailItemAnswer[]): void;
}

/** The most that one call takes. */
const AT_ONCE = 500;

/** Changes are shown at once. A refused one is taken back, and the refusal is said. */
export function useTriage(): Triage {
  const emails = useWorkspacePath()('/emails');
  const bulk = async (ids: readonly string[], body: object, keepalive = false) => {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await call('POST', `${emails}/bulk`, { body: { ...body, emailIds: ids.slice(from, from + AT_ONCE) }, keepalive });
  };
  const markRead = (items: readonly MailItemAnswer[], isRead: boolean) => {
    const ids = idsOf(items.filter((item) => item.isRead !== isRead));
    const shown = (value: boolean) => patch(emails, ids, (item) => ({ ...item, isRead: value }));
    if (ids.length > 0) void make(shown, isRead, () => bulk(ids, { action: 'markRead', isRead }));
  };
  return {
    markRead,
    star: (items, isStarred) => {
      const ids = idsOf(items.filter((item) => item.isStarred !== isStarred));
      const shown = (value: boolean) => patch(emails, ids, (item) => ({ ...item, isStarred: value }));
      void make(shown, isStarred, async () => {
        for (const id of ids) await call('PATCH', `${emails}/${id}`, { body: { isStarred } });
      });
    },
    label: (items, label, isOn) => {
      const ids = idsOf(items.filter(({ tags }) => tags.some(({ id }) => id === label.id) !== isOn));
      const action = isOn ? 'applyLabel' : 'removeLabel';
      const shown = (value: boolean) => patch(emails, ids, (item) => withLabel(item, label, value));
      void make(shown, isOn, () => bulk(ids, { action, labelId: label.id }));
    },
    done: (items) => {
      makeNow(lastTrashing());
      const ids = idsOf(items);
      const wereUnread = items.filter(({ isRead }) => !isRead);
      changeLists((list) => withHidden(list, ids, true));
      markRead(items, true);
      offerUndoOnce(`${counted(ids.length)} done`, () => {
        changeLists((list) => withHidden(list, ids, false));
        markRead(
          wereUnread.map((item) => ({ ...item, isRead: true })),
          false,
        );
      });
    },
    trash: (items) => trash(idsOf(items), (ids, isLast) => bulk(ids, { action: 'delete' }, isLast)),
  };
}

let trashing = 0;
const lastTrashing = (): string => `trash ${trashing}`;

/** Nothing brings an email back from the trash, so it goes there when the time for undoing is over. */
function trash(ids: readonly string[], run: (ids: readonly string[], isLast: boolean) => Promise<unknown>): void {
  makeNow(lastTrashing());
  withdrawOffer();
  trashing += 1;
  const show = (isThere: boolean) => changeLists((list) => withHidden(list, ids, !isThere));
  show(false);
  defer(lastTrashing(), {
    message: `${counted(ids.length)} moved to the trash`,
    run: (isLast) =>
      run(ids, isLast).catch((error: unknown) => {
        show(true);
        throw error;
      }),
    undone: () => show(true),
  });
}

async function make(show: (value: boolean) => void, value: boolean, run: () => Promise<unknown>): Promise<void> {
  show(value);
  noteChange(1);
  try {
    await run();
  } catch (error) {
    show(!value);
    say(error instanceof Error ? error.message : 'The change was not made. Try again.');
  }
  noteChange(-1);
}

type Change = <Item extends MailItemAnswer>(item: Item) => Item;

/** In every list, and in the emails that are open. */
function patch(emails: string, ids: readonly string[], change: Change): void {
  const changed = new Set(ids);
  changeLists((list) => withChangedItems(list, changed, change));
  for (const id of ids)
    queryClient.setQueryData<OpenedEmailAnswer>(
      [`${emails}/${id}`],
      (opened) => opened && withChange(opened, changed, change),
    );
}

function withChange(opened: OpenedEmailAnswer, ids: ReadonlySet<string>, change: Change): OpenedEmailAnswer {
  const thread = opened.thread.map((email) => (ids.has(email.id) ? change(email) : email));
  return { ...opened, email: change(opened.email), thread };
}

function withLabel<Item extends MailItemAnswer>(
  item: Item,
  { id, name, color, isAiLabel }: LabelRefAnswer,
  isOn: boolean,
) {
  const others = item.tags.filter((tag) => tag.id !== id);
  return { ...item, tags: isOn ? [...others, { id, name, color, isAiLabel }] : others };
}

const idsOf = (items: readonly MailItemAnswer[]): string[] => items.map(({ id }) => id);
const counted = (count: number): string => (count === 1 ? '1 email' : `${count} emails`);
