import type { ConnectEvent } from '@postroom/app/answers';
import type { Browser } from './app-client.ts';
import { browseTo, openConsentProvider } from './consent-provider.ts';
import { openGmail } from './gmail.ts';
import { openMailSink } from './mail-sink.ts';

export type ConsentScene = Awaited<ReturnType<typeof openConsentScene>>;

/** Two providers, and mail servers that take the tokens of both. */
export async function openConsentScene() {
  const [google, microsoft] = await Promise.all([openConsentProvider(), openConsentProvider()]);
  const opens = (user: string, token: string) => [google, microsoft].some((one) => one.opens(user, token));
  const [imap, smtp] = await Promise.all([openGmail({ opens }), openMailSink({ hasLogins: true })]);
  smtp.opens = opens;
  return {
    google,
    microsoft,
    imap,
    smtp,
    opens,
    variables: {
      ...google.variables('GMAIL'),
      ...microsoft.variables('MICROSOFT365'),
      GMAIL_IMAP_ADDR: imap.address,
      GMAIL_SMTP_ADDR: smtp.address,
    },
    /** The return addresses are those of this app. */
    registerAt: (origin: string) => {
      google.state.redirectUri = `${origin}/app/mailboxes/consent/gmail`;
      microsoft.state.redirectUri = `${origin}/app/mailboxes/consent/microsoft365`;
    },
    reset: () => {
      google.reset();
      microsoft.reset();
      smtp.opens = opens;
    },
    close: async () => {
      await Promise.all([google.close(), microsoft.close(), imap.close(), smtp.close()]);
    },
  };
}

/** The calls of the pages for a consent at Gmail. */
export function consentCalls(person: Browser & { workspace: string }) {
  const call = (path: string, body: object) =>
    person.call('POST', `${person.workspace}/mailbox-consents${path}`, { body });
  const begin = async (body: object = {}): Promise<string> => (await call('', { provider: 'gmail', ...body })).json.url;
  const finish = (query: string, provider = 'gmail') => call('/finish', { provider, query });
  return {
    call,
    begin,
    finish,
    /** From the start to the answer of the provider. */
    give: async (body: object = {}) => finish(await browseTo(await begin(body))),
    connect: async ({ id, mailboxId }: { id: string; mailboxId: string | null }) => {
      const { text } = await call('/connect', { consentId: id, ...(mailboxId !== null && { mailboxId }) });
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ConnectEvent);
    },
  };
}
