import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { emailDocument } from './email-document.ts';
import type { TestStack } from './stack.ts';

const MINUTE_MS = 60_000;

/** Stores two emails that were not classified, a message that could not be parsed, one whose time is over, and a dead letter. */
export async function storeGivenUpMail({ collections }: TestStack, workspaceId: string): Promise<void> {
  const now = Date.now();
  const classification = { quarantinedAt: new Date(now) };
  const emails = ['eml_a', 'eml_b'].map((id) =>
    emailDocument({ _id: `${id}_${workspaceId}`, workspaceId, classification }),
  );
  await collections.emails.collection.insertMany(emails as never[]);
  const quarantined = {
    workspaceId,
    mailboxId: 'mbx_1',
    cause: 'no header',
    size: 1,
    attempts: 1,
    folderType: 'INBOX',
  };
  const messages = [now + MINUTE_MS, now - MINUTE_MS].map((until) => {
    const sourceKey = `${workspaceId} until ${until}`;
    return { ...quarantined, _id: sourceKey, sourceKey, createdAt: new Date(now), expiresAt: new Date(until) };
  });
  await collections.quarantinedMessages.collection.insertMany(messages as never[]);
  await createDeadLetterStore(collections).add({
    workspaceId,
    id: `evt_${workspaceId}`,
    topic: 'email.classified',
    group: 'forwarder',
    key: 'mbx_1',
    occurredAt: new Date(now),
    value: Buffer.from([1]),
    cause: 'Error: no rule',
    attempts: 5,
    replays: 0,
    givenUpAt: new Date(now),
  });
}
