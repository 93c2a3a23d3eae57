import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { Model } from './model/model.ts';
import type { Worker } from './pending/worker.ts';

type Received = EventOf<'email.received'>;

export interface ReceivedDeps {
  worker: Pick<Worker, 'begin'>;
  model: Pick<Model, 'availability'>;
}

/**
 * The event only says that it is worth looking now. Where the email cannot be classified at once it waits in MongoDB, and
 * the poll takes it up: so no event waits, fails or becomes a dead letter because of its email.
 */
export function createOnEmailReceived({ worker, model }: ReceivedDeps) {
  return async ({ workspaceId, data }: Received, { signal }: Pick<Work, 'signal'>): Promise<void> => {
    if (!model.availability.isAvailable()) return;
    const { emailId, mailboxId, threadId } = data;
    await worker.begin({ workspaceId, mailboxId, emailId, threadId }, 'email', signal);
  };
}

/** Emails of one conversation wait for each other, and for nobody else of their mailbox. */
export function conversationOf({ data }: Pick<Received, 'data'>): string {
  return `${data.mailboxId} ${data.threadId ?? data.emailId}`;
}
