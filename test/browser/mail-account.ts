import { mailServer, PASSWORD } from '../engines/support/mail-server.ts';
import { openGmail } from '../support/gmail.ts';
import { openMailSink } from '../support/mail-sink.ts';

/** A mailbox at a provider: what a person types to connect it. */
export interface MailAccount {
  email: string;
  password: string;
  imap: string;
  smtp: string;
  /** Puts emails with these subjects into its inbox. */
  receive(...subjects: string[]): Promise<void>;
  close(): Promise<void>;
}

const mail = (subject: string) =>
  Buffer.from(`From: ann@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello`);

/** Real servers where they are named; else those of the tests. */
export function openMailAccount(): Promise<MailAccount> {
  const { IMAP_ADDR, SMTP_ADDR, MAIL_CONTROL } = process.env;
  return IMAP_ADDR && SMTP_ADDR && MAIL_CONTROL ? realAccount(IMAP_ADDR, SMTP_ADDR, MAIL_CONTROL) : playedAccount();
}

async function realAccount(imap: string, smtp: string, control: string): Promise<MailAccount> {
  const server = mailServer(imap, control);
  const email = await server.user();
  const client = await server.client(email);
  return {
    email,
    password: PASSWORD,
    imap,
    smtp,
    receive: async (...subjects) => {
      for (const subject of subjects) await client.append('INBOX', mail(subject));
    },
    close: () => client.logout(),
  };
}

async function playedAccount(): Promise<MailAccount> {
  const [imap, smtp] = await Promise.all([openGmail({ password: PASSWORD }), openMailSink({ hasLogins: true })]);
  smtp.password = PASSWORD;
  return {
    email: 'ann@acme.example',
    password: PASSWORD,
    imap: imap.address,
    smtp: smtp.address,
    receive: async (...subjects) => {
      for (const subject of subjects) imap.add(mail(subject), ['\\Inbox']);
    },
    close: async () => {
      await Promise.all([imap.close(), smtp.close()]);
    },
  };
}
