import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { Model } from '../model/model.ts';
import type { ClassifyWorker } from './worker.ts';
import type { RulesOf } from '../classify/current-rules.ts';

type Received = EventOf<'email.received'>;

interface ReceivedDeps {
  worker: Pick<ClassifyWorker, 'begin'>;
  model: Pick<Model, 'availability'>;
  rulesOf: RulesOf;
}

/**
 * The event is only a wake-up. An email that cannot be classified at once waits in MongoDB, and the poll takes it up. So no
 * event waits, fails or becomes a dead letter because of its email.
 */
export function createOnEmailReceived({ worker, model, rulesOf }: ReceivedDeps) {
  return async ({ workspaceId, data }: Received, { signal }: Pick<Work, 'signal'>): Promise<void> => {
    // A workspace without rules needs no model, so its mail is forwarded also while the model is unavailable.
    if (!model.availability.isAvailable() && (await rulesOf(workspaceId)).length > 0) return;
    const { emailId, mailboxId, threadId } = data;
    await worker.begin({ workspaceId, mailboxId, emailId, threadId }, 'email', signal);
  };
}

/** Emails of one thread wait for each other, and for no other email of their mailbox. */
export function conversationOf({ data }: Pick<Received, 'data'>): string {
  return `${data.mailboxId} ${data.threadId ?? data.emailId}`;
}
