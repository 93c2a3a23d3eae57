import type { Clock } from '@postroom/runtime/clock';
import type { NewChange } from './new-change.ts';
import type { FeedStore } from '../feed/change-store.ts';
import type { EmailStateStore } from './email-state-store.ts';
import { createNewestNumbers } from './newest-numbers.ts';
import { correctionId, withCorrections } from './correct-late-events.ts';

interface Deps {
  changes: Pick<FeedStore, 'head' | 'known' | 'last' | 'append'>;
  emails: EmailStateStore;
  clock: Pick<Clock, 'date' | 'now'>;
}

export type AppendAll = (workspaceId: string, events: readonly NewChange[]) => Promise<number>;

/**
 * Appends what is not there yet, and gives back the number of the newest change. The state of emails is read after the
 * newest number is known and before the next one is written. The write fails where another process appended meanwhile: so
 * the last change about a fact is never older than the state it was held against.
 */
export function createAppend({ changes, emails, clock }: Deps): AppendAll {
  const newestNumbers = createNewestNumbers(changes, clock);
  return async (workspaceId, events) => {
    const ids = events.flatMap(({ _id }) => [_id, correctionId(_id)]);
    for (let isRepeat = false; ; isRepeat = true) {
      const head = await newestNumbers.of(workspaceId);
      const known = isRepeat ? await changes.known(workspaceId, ids) : new Map<string, number>();
      const fresh = await withCorrections({ changes, emails }, workspaceId, events, { known, now: clock.now() });
      if (fresh.length === 0) return head;
      const appendedAt = clock.date();
      const documents = fresh.map((change, n) => ({ ...change, seq: head + 1 + n, appendedAt }));
      // Until the write has succeeded, nothing is known: it may fail in the middle.
      newestNumbers.forget(workspaceId);
      if (!(await changes.append(workspaceId, documents))) continue;
      newestNumbers.appended(workspaceId, head + documents.length);
      return head + documents.length;
    }
  };
}
