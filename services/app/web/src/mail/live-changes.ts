import { useEffect, useRef } from 'react';
import type { MailChangeAnswer, MailChangesAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { usePresent, useWorkspacePath } from '../api/session.ts';
import { withQuery } from '../url/query.ts';

const EVERY_MS = 3_000;
/** Somebody who comes back after a longer time reads the list again instead. */
const MOST_PAGES = 10;

/**
 * Hands on the changes of the workspace while the page is seen. `take` gets none at the start, and where too much has
 * happened: then the list itself is to be read. It says false where the changes are to be told again.
 */
export function useLiveChanges(take: (changes: readonly MailChangeAnswer[]) => boolean): void {
  const { features } = usePresent();
  const path = useWorkspacePath()('/changes');
  const isOpen = features.includes('changes');
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!isOpen) return undefined;
    const state = { cursor: null as string | null, isAsking: false, isOver: false };
    const ask = async () => {
      const told: MailChangeAnswer[] = [];
      let next = state.cursor;
      for (let page = 0; ; page += 1) {
        const since = page < MOST_PAGES ? next : null;
        const found = await call<MailChangesAnswer>('GET', withQuery(path, { since }));
        next = found.nextCursor;
        told.push(...found.items);
        if (since === null) told.length = 0;
        if (!found.hasMore || since === null) break;
      }
      if (state.isOver) return;
      const isNew = state.cursor === null || told.length > 0;
      if (!isNew || latest.current(told)) state.cursor = next;
    };
    const poll = () => {
      if (state.isAsking || document.visibilityState !== 'visible') return;
      state.isAsking = true;
      void ask()
        .catch(() => {
          // A cursor that is too old is refused each time.
          state.cursor = null;
        })
        .finally(() => (state.isAsking = false));
    };
    poll();
    const timer = setInterval(poll, EVERY_MS);
    document.addEventListener('visibilitychange', poll);
    return () => {
      state.isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [isOpen, path]);
}
