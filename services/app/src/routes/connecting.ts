import { isOneOf } from '@postroom/contract/lists';
import { toApiError } from '@postroom/errors/api-error';
import { LOGIN_FAULTS, type LoginFault } from '@postroom/mail-server/login-fault';
import type { Mailbox, TryLoginResponse } from '@postroom/proto/postroom/v1/resources';
import type { MailServer } from '@postroom/proto/postroom/v1/workspace';
import { toJsonMailbox } from '@postroom/resources/mailbox';
import type { ConnectEvent, ConnectStep } from '../answers/answers.ts';
import type { TextAnswer, WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

type Way = 'imap' | 'smtp';

const STEPS: readonly ConnectStep[] = ['dns', 'tcp', 'tls', 'login'];

interface Faults {
  of: Readonly<Record<LoginFault, { step: ConnectStep; message: string }>>;
  /** The next step of the person. */
  next: string;
}

/** The step that a fault belongs to: those before it went well, and those behind it were not reached. */
const passwordFaults: Faults['of'] = {
  host_not_found: { step: 'dns', message: 'There is no server of this name; check how it is written.' },
  unreachable: { step: 'tcp', message: 'No server answers there; check the port, and the firewalls on the way.' },
  too_slow: { step: 'tcp', message: 'The server did not answer in time; check the port and try again.' },
  no_tls: {
    step: 'tls',
    message: 'This port has no TLS, and no password is sent without it. Usual are 993 for IMAP, 465 or 587 for SMTP.',
  },
  unknown_authority: {
    step: 'tls',
    message: 'The certificate is of an authority that is not known here; an operator connects such a server with --ca.',
  },
  wrong_name: { step: 'tls', message: 'The certificate is for another name; use the name that stands in it.' },
  expired_certificate: { step: 'tls', message: 'The certificate of the server is out of date.' },
  no_login: { step: 'login', message: 'This port offers no login. Usual are 993 for IMAP, 465 or 587 for SMTP.' },
  login_refused: {
    step: 'login',
    message: 'The server refused the user name or the password; many providers ask for an app password.',
  },
  other: { step: 'login', message: 'The login did not work, and the server does not say why; try again later.' },
};

const faults: Faults = { of: passwordFaults, next: 'Correct the fields and try again.' };

const consentFaults: Faults = {
  of: {
    ...passwordFaults,
    login_refused: {
      step: 'login',
      message:
        'The server refused this account, although it gave its consent. An administrator of its organization may have to switch this access on.',
    },
  },
  next: 'Try again, or start again with another account.',
};

type Tries = Readonly<Record<Way, Promise<TryLoginResponse>>>;
type LoginServices = Pick<AppServices, 'mailboxSync' | 'outboundSend'>;

/** Tries both logins at once, tells each step, and stores the mailbox only when both work. */
export function connecting(
  server: MailServer,
  store: (tried: MailServer) => Promise<Mailbox>,
  services: LoginServices,
  visit: WorkspaceVisit,
): TextAnswer {
  const { user, password, ca, imapAddress, smtpAddress } = server;
  const tries = () => ({
    imap: services.mailboxSync.tryLogin({ address: imapAddress, user, password, ca }, visit),
    smtp: services.outboundSend.tryLogin({ address: smtpAddress, user, password, ca }, visit),
  });
  const stored = ({ imap, smtp }: Record<Way, string>) => store({ ...server, imapAddress: imap, smtpAddress: smtp });
  return { type: 'application/x-ndjson', pieces: linesOf(eventsOf(tries, stored, faults)) };
}

/** The same by a consent: workspace hands its token to the services that log in, and the app does not see it. */
export function connectingByConsent(
  consentId: string,
  store: () => Promise<Mailbox>,
  services: LoginServices,
  visit: WorkspaceVisit,
): TextAnswer {
  const request = { address: '', user: '', consentId };
  const tries = () => ({
    imap: services.mailboxSync.tryLogin(request, visit),
    smtp: services.outboundSend.tryLogin(request, visit),
  });
  return { type: 'application/x-ndjson', pieces: linesOf(eventsOf(tries, store, consentFaults)) };
}

/** Without a login to try: the stored one is used again. */
export function reviving(store: () => Promise<Mailbox>): TextAnswer {
  return { type: 'application/x-ndjson', pieces: linesOf(stored(store)) };
}

async function* stored(store: () => Promise<Mailbox>): AsyncGenerator<ConnectEvent> {
  yield { type: 'connected', mailbox: toJsonMailbox(await store()) };
}

async function* linesOf(events: AsyncIterable<ConnectEvent>): AsyncGenerator<string> {
  try {
    for await (const event of events) yield `${JSON.stringify(event)}\n`;
  } catch (thrown) {
    const { code, message } = toApiError(thrown);
    yield `${JSON.stringify({ type: 'refused', code, error: message } satisfies ConnectEvent)}\n`;
  }
}

async function* eventsOf(
  begin: () => Tries,
  store: (addresses: Record<Way, string>) => Promise<Mailbox>,
  messages: Faults,
): AsyncGenerator<ConnectEvent> {
  const tries = begin();
  for (const way of ['imap', 'smtp'] as const) yield { type: 'step', server: way, step: 'dns', state: 'running' };
  const addresses = { imap: '', smtp: '' };
  let hasFailed = false;
  for await (const [way, result] of asTheyCome(tries)) {
    yield* stepsOf(way, result, messages);
    hasFailed ||= result.fault !== undefined;
    addresses[way] = result.address;
  }
  if (hasFailed) {
    const error = `Nothing is connected: a login did not work. ${messages.next}`;
    yield { type: 'refused', code: 'LOGIN_FAILED', error };
    return;
  }
  yield { type: 'connected', mailbox: toJsonMailbox(await store(addresses)) };
}

async function* asTheyCome(tries: Tries) {
  const waiting = new Map((['imap', 'smtp'] as const).map((way) => [way, named(way, tries[way])]));
  while (waiting.size > 0) {
    const next = await Promise.race(waiting.values());
    waiting.delete(next[0]);
    yield next;
  }
}

async function named(way: Way, result: Promise<TryLoginResponse>): Promise<[Way, TryLoginResponse]> {
  return [way, await result];
}

function* stepsOf(server: Way, { fault, isEncrypted }: TryLoginResponse, messages: Faults): Generator<ConnectEvent> {
  const failed = fault === undefined ? undefined : messages.of[isOneOf(LOGIN_FAULTS, fault) ? fault : 'other'];
  for (const step of STEPS) {
    if (step === failed?.step) {
      yield { type: 'step', server, step, state: 'failed', message: failed.message };
      return;
    }
    const isPlain = step === 'tls' && failed === undefined && !isEncrypted;
    const message = isPlain ? { message: 'Without TLS, on this machine alone.' } : {};
    yield { type: 'step', server, step, state: 'ok', ...message };
  }
}
