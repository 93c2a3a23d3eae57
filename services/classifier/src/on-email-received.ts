import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import { classify, type ClassifyDeps } from './classify.ts';

type Received = EventOf<'email.received'>;

export function createOnEmailReceived(deps: ClassifyDeps) {
  return ({ workspaceId, data }: Received, { signal }: Pick<Work, 'signal'>): Promise<void> =>
    classify(deps, { workspaceId, emailId: data.emailId, isBackfill: false, signal });
}

/** Emails of one conversation wait for each other, and for nobody else of their mailbox. */
export function conversationOf({ data }: Pick<Received, 'data'>): string {
  return `${data.mailboxId} ${data.threadId ?? data.emailId}`;
}
