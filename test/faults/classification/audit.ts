import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailSink } from '../../support/mail-sink.ts';
import type { MessageParts } from '../../support/message.ts';
import type { TestStack } from '../../support/stack.ts';

export interface Mails {
  workspaceId: string;
  /** In the order in which they came, each thread's too. */
  emailIds: string[];
}

/** Of all of them: nothing in a mail says which of one conversation came first. */
const date = new Date('2026-01-01T00:00:00Z');

/**
 * Every fourth asks for the price, and is answered; every fourth may be, as the model finds each time it is asked; the
 * others are nobody's business. Each has a sender of its own. Conversations have two neighbours of one batch of eight, and
 * the two in their places in the next.
 */
export function mailOf(n: number): MessageParts {
  const about = ['price', 'perhaps', 'lunch', 'weather'][n % 4];
  const first = n - (n % 16) + (n % 8) - (n % 2);
  return {
    from: `Sender ${n} <s${n}@other.example>`,
    subject: `${about} ${n}`,
    text: 'As in the subject.',
    messageId: `<m${n}@other.example>`,
    date,
    ...(n > first && { inReplyTo: `<m${first}@other.example>` }),
  };
}

const ASKED_FOR = 'classifiedAt draft isAutoReply inReplyTo labelIds subject messageId senderAddress';

/** The one before it in its conversation. */
function before(n: number): number | undefined {
  if (n % 2 === 1) return n - 1;
  return n % 16 < 8 ? undefined : n - 7;
}

/** What is wrong with how the mail was classified, in words; nothing where all of it is as it should be. */
export async function faultsOf(stack: TestStack, sink: MailSink, { workspaceId, emailIds }: Mails): Promise<string[]> {
  const faults: string[] = [];
  const emails = await stack.collections.emails.find({ workspaceId }).select(ASKED_FOR).lean<EmailDocument[]>();
  const byId = new Map(emails.map((email) => [email._id, email]));
  const answersTo = countBy(
    emails.filter(({ draft, isAutoReply }) => draft || isAutoReply).map(({ inReplyTo }) => inReplyTo),
  );
  const takenTo = countBy(sink.caught.map(({ to }) => to.join()));
  for (const [n, id] of emailIds.entries()) {
    const email = byId.get(id);
    if (!email?.classifiedAt) faults.push(`${id} is not classified`);
    else {
      const isLabelled = email.labelIds.length > 0;
      if (email.labelIds.length > 1) faults.push(`${email.subject} has a label twice`);
      if (email.subject.startsWith('price') && !isLabelled) faults.push(`${email.subject} has no label`);
      const replies = isLabelled ? 1 : 0;
      const [prepared, taken] = [answersTo.get(email.messageId) ?? 0, takenTo.get(email.senderAddress) ?? 0];
      if (prepared !== replies) faults.push(`${email.subject} has ${prepared} replies, not ${replies}`);
      if (taken !== replies) faults.push(`${email.subject} was answered ${taken} times, not ${replies}`);
      const earlier = byId.get(emailIds[before(n) ?? -1] ?? '');
      const isLater = !earlier?.classifiedAt || earlier.classifiedAt <= email.classifiedAt;
      if (!isLater) faults.push(`${email.subject} was classified before ${earlier.subject}`);
    }
  }
  return faults;
}

/** Of the labels and classifications that were told of, those told of more than once, each event counted once. */
export function toldTwice(told: ReadonlyMap<string, string>): string[] {
  return [...countBy([...told.values()])].filter(([, count]) => count > 1).map(([what]) => what);
}

function countBy(values: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
