import type { BusMessage, Work } from '@postroom/events/bus';
import { decodeEvent } from '@postroom/events/event';
import { classify, type ClassifyDeps } from './classify.ts';

export function createOnEmailReceived(deps: ClassifyDeps) {
  return async (message: BusMessage, { signal }: Pick<Work, 'signal'>): Promise<void> => {
    const { workspaceId, data } = decodeEvent('email.received', message);
    await classify(deps, { workspaceId, emailId: data.emailId, isBackfill: false, signal });
  };
}

/** Emails of one conversation wait for each other, and for nobody else of their mailbox. */
export function conversationOf(message: BusMessage): string {
  const { data } = decodeEvent('email.received', message);
  return `${data.mailboxId} ${data.threadId ?? data.emailId}`;
}
