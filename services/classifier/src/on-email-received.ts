import { isAway, isHanging } from '@postroom/errors/away';
import { RetryLater, type Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import { classify, type ClassifyDeps } from './classify.ts';
import type { MailStore } from './mail-store.ts';

type Received = EventOf<'email.received'>;

export interface ReceivedDeps extends ClassifyDeps {
  mail: Pick<MailStore, 'find' | 'waitingBefore'>;
}

/** By then an event that was late, because it could not be published at first, has come. */
const LATEST_MS = 10 * 60_000;

/**
 * An event may overtake another that could not be published at first. So what came before in the conversation and waits
 * still is seen to before: its own event then finds nothing left to do.
 */
export function createOnEmailReceived(deps: ReceivedDeps) {
  return async ({ workspaceId, data }: Received, { signal }: Pick<Work, 'signal'>): Promise<void> => {
    const { emailId, mailboxId, threadId } = data;
    const which = { workspaceId, isBackfill: false, signal };
    const since = new Date(deps.clock.now() - LATEST_MS);
    const before =
      threadId === undefined ? [] : await deps.mail.waitingBefore(workspaceId, { mailboxId, threadId, emailId }, since);
    for (const earlier of before) {
      await classify(deps, { ...which, emailId: earlier }).catch((error: unknown) => {
        // One that cannot be classified becomes a dead letter by its own event.
        if (error instanceof RetryLater || isAway(error) || isHanging(error) || signal.aborted) throw error;
      });
    }
    await classify(deps, { ...which, emailId });
  };
}

/** Emails of one conversation wait for each other, and for nobody else of their mailbox. */
export function conversationOf({ data }: Pick<Received, 'data'>): string {
  return `${data.mailboxId} ${data.threadId ?? data.emailId}`;
}
