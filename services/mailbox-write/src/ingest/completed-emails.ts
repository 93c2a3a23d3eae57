import type { OutboxStore } from '@postroom/events/outbox/outbox-store';
import type { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import { type CompletedEmail, completing, type UnfinishedStore } from './unfinished-store.ts';

/** Emails whose thread is complete, and whose mark still says otherwise. A sweep completes an email again that keeps it. */
export interface CompletedEmails {
  add(email: CompletedEmail): void;
  /** The caller writes them. */
  take(): CompletedEmail[];
  close(): Promise<void>;
}

/** Mostly another write takes them before. */
const LONGEST_WAIT_MS = 1_000;
const UNTIL_WOKEN_MS = 3_600_000;

export function createCompletedEmails(
  store: Pick<UnfinishedStore, 'everyWorkspacesComplete'>,
  { clock, log }: Pick<ServiceContext, 'clock' | 'log'>,
): CompletedEmails {
  let waiting: CompletedEmail[] = [];
  const take = () => {
    const taken = waiting;
    waiting = [];
    return taken;
  };
  const write = async () => {
    const completed = take();
    if (completed.length > 0) await store.everyWorkspacesComplete(completed);
  };
  const writeLater = async (closing: AbortSignal) => {
    if (waiting.length === 0) return;
    await clock.sleep(LONGEST_WAIT_MS, closing);
    await write();
  };
  const everyMs = UNTIL_WOKEN_MS;
  const writing = repeat(writeLater, { name: 'the write of complete emails', everyMs, clock, log });
  return {
    add: (email) => {
      waiting.push(email);
      writing.wake();
    },
    take,
    close: async () => {
      await writing.close();
      await write().catch((error: unknown) => {
        log.warn({ err: error }, 'complete emails keep their mark; a sweep completes them again');
      });
    },
  };
}

/** Every new email has an event, and the write that removes its event also removes the marks of other emails. */
export function withCompleted(
  store: ReturnType<typeof createOutboxStore>,
  { take }: Pick<CompletedEmails, 'take'>,
): OutboxStore {
  return { ...store, markPublished: (published) => store.markPublished(published, take().map(completing)) };
}
