import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { HostileMessage } from './compose.ts';
import { hostileMessages } from './hostile.ts';
import { type MailService, startMailService } from './mail-service.ts';

/** The parser's own watchdog ends a message within five seconds; the rest is patience with a busy machine. */
const LIMIT_MS = 55_000;

let mail: MailService;
let mailbox: MailboxDocument;
beforeAll(async () => {
  mail = await startMailService();
  mailbox = await mail.mailbox();
});
afterAll(() => mail.close());

describe('hostile and odd messages', () => {
  it('are at least 150', () => {
    expect(hostileMessages.length).toBeGreaterThanOrEqual(150);
  });

  it.each(hostileMessages.map((make, position) => [make().name, make, position] as const))(
    '%s',
    async (_, make, position) => {
      const message = make();
      const { email, outcome, others } = await takeIn(message, `hostile-${position}`);
      // While it is worked on the service answers everybody else.
      expect(others).toEqual(others.map(() => 'answered'));
      expect(outcome).toMatch(message.expected ?? /stored|quarantined/);
      const seen = email ? readers(email, message.seen ?? {}) : {};
      expect(seen).toEqual(message.seen ?? {});
    },
    LIMIT_MS + 5_000,
  );

  it('afterwards ordinary mail is taken in as before', async () => {
    const { outcome } = await takeIn(
      { name: 'ordinary', raw: () => Buffer.from('Subject: fine\r\n\r\nHello\r\n') },
      'ordinary',
    );
    expect(outcome).toBe('stored');
  });
});

async function takeIn(message: HostileMessage, sourceKey: string) {
  const raw = message.raw();
  const { workspaceId } = mailbox;
  let isDone = false;
  const ingesting = mail.ingest(mailbox, [{ sourceKey, raw }], LIMIT_MS).finally(() => {
    isDone = true;
  });
  const others: string[] = [];
  while (!isDone) {
    const listing = mail.operators.listQuarantinedMessages(
      { mailboxId: mailbox._id, limit: 1 },
      { workspaceId, deadline: Date.now() + LIMIT_MS },
    );
    others.push(
      await listing.then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [answer] = await ingesting;
  const email = await mail.collections.emails.findOne({ _id: answer?.emailId ?? '' }).lean<EmailDocument | null>();
  return { outcome: answer?.outcome, email, others };
}

/** The email by the names of what a message says of itself. */
function readers(email: EmailDocument, wanted: NonNullable<HostileMessage['seen']>) {
  const all: Required<NonNullable<HostileMessage['seen']>> = {
    subject: email.subject,
    snippet: email.snippet,
    from: email.from.email,
    filename: email.attachments.at(-1)?.filename ?? '',
    date: email.date.toISOString(),
    to: email.to.length,
  };
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, all[key as keyof typeof all]]));
}
