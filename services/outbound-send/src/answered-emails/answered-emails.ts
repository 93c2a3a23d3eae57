import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { AnsweredEmail } from '@postroom/proto/postroom/v1/mailbox_write';
import { createRecentMap } from '@postroom/runtime/recent-map';

/** An email as it was read, with the name that its thread is linked by. */
type InThread = Pick<EmailDocument, 'messageId' | 'threadId' | 'threadKey'>;

/** The emails that sends answer or forward, as this process has read them: they save mailbox-write a search for the thread. */
export interface AnsweredEmails {
  read(sendId: string, email: InThread): void;
  of(sendId: string): AnsweredEmail | undefined;
}

const MOST = 1_000;

export function createAnsweredEmails(): AnsweredEmails {
  const known = createRecentMap<AnsweredEmail>(MOST);
  return {
    read: (sendId, email) => {
      const answered = answeredOf(email);
      if (answered) known.set(sendId, answered);
    },
    of: (sendId) => known.get(sendId),
  };
}

/** A thread of the provider's own is left to it, and spam joins no thread. */
export function answeredOf({ messageId, threadId, threadKey }: InThread): AnsweredEmail | undefined {
  return threadId && threadKey === messageId ? { messageId, threadId } : undefined;
}
