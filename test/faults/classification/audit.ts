import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailSink } from '../../support/mail-sink.ts';
import type { MessageParts } from '../../support/message.ts';
import type { TestStack } from '../../support/stack.ts';

interface Mails {
  workspaceId: string;
  /** In the order in which they came, each thread's too. */
  emailIds: string[];
}

/** All mails have the same date, so that no mail tells which one of its conversation came first. */
const date = new Date('2026-01-01T00:00:00Z');

/**
 * Every fourth mail asks for the price and is answered. For every fourth, the model decides anew on each call. The
 * others are not answered. Each mail has its own sender. A conversation has two neighbours of one batch of eight, and
 * the two mails at the same positions of the next batch.
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

/** Lists the faults in how the mail was classified, in words; empty if there are none. */
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

/** The labels and classifications that more than one event announced. A repeated event counts once. */
export function toldTwice(told: ReadonlyMap<string, string>): string[] {
  return [...countBy([...told.values()])].filter(([, count]) => count > 1).map(([what]) => what);
}

function countBy(values: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
