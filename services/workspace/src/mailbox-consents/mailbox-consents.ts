import { refuse } from '@postroom/errors/refuse';
import { serverAt } from '@postroom/mail-server/server-address';
import type {
  BeginConsentRequest,
  ConnectByConsentRequest,
  MailboxAccessServiceDefinition,
  WorkspaceAppServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Mailbox } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { insertMailbox, replaceLogin } from '../mailboxes/mailboxes.ts';
import { unknownMailbox } from '../requests/requests.ts';
import { authorizationUrl } from './authorization-url.ts';
import { CONSENT_PROVIDERS, type ConsentClient, openConsentClients } from './consent-clients.ts';
import { noClient, notValid } from './consent-faults.ts';
import { createConsentStore, type GivenConsent } from './consent-store.ts';
import { CONSENT_MS, type MailboxConsentDeps, finishConsent, idOfState } from './finish-consent.ts';

export { CONSENT_PROVIDERS, createConsentStore, openConsentClients };
export type { MailboxConsentDeps };

/** Mailboxes of providers that ask the person for consent (decision 20). Tokens leave this service for logins alone. */
export function consentHandlers(deps: MailboxConsentDeps) {
  return {
    listConsentProviders: async () => ({ items: deps.consentClients.list() }),
    beginConsent: (request, call) => beginConsent(request, call, deps),
    finishConsent: (request, call) => finishConsent(request, call, deps),
    connectByConsent: (request, call) => connectByConsent(request, call, deps),
  } satisfies Partial<Handlers<WorkspaceAppServiceDefinition>>;
}

/** For the services that try the login before anything is connected. */
export function consentAccessHandlers({ consents, consentClients, vault, context }: MailboxConsentDeps) {
  return {
    getConsentAccess: async ({ workspaceId, consentId }, call) => {
      const consent = await consents.findGiven(workspaceId, consentId, context.clock.date(), call);
      const client = consent && consentClients.find(consent.provider);
      if (!client) throw notValid();
      const held = await vault.open({ workspaceId, mailboxId: consent.mailboxId }, consent.credentials);
      if (held.kind !== 'oauth' || !held.access) throw notValid();
      return { ...serverOf(consent, client), accessToken: held.access.token.reveal(), tokenEpoch: 0 };
    },
  } satisfies Partial<Handlers<MailboxAccessServiceDefinition>>;
}

async function beginConsent(request: BeginConsentRequest, call: Call, deps: MailboxConsentDeps) {
  const { workspaceId, sessionId, provider, redirectUri, loginHint, mailboxId } = request;
  const client = deps.consentClients.find(provider);
  if (!client) throw noClient();
  if (mailboxId !== undefined) await requireAtProvider(workspaceId, mailboxId, client, call, deps);
  const { ids, clock } = deps.context;
  const [state, nonce, codeVerifier] = [ids('state'), ids('nonce'), `${ids('pkce')}${ids('pkce')}`];
  const consent = {
    _id: idOfState(state),
    sessionId,
    provider: client.id,
    redirectUri,
    nonce,
    codeVerifier,
    mailboxId: mailboxId ?? ids('mbx'),
    isReconnect: mailboxId !== undefined,
    email: null,
    credentials: null,
    expiresAt: new Date(clock.now() + CONSENT_MS),
  };
  await deps.consents.begin(workspaceId, consent, call);
  return { url: authorizationUrl(client, { state, nonce, codeVerifier, redirectUri, loginHint }) };
}

/** The mailbox of another server stays there: a grant of this provider opens no account of it. */
async function requireAtProvider(
  workspaceId: string,
  mailboxId: string,
  { name, imapAddress }: ConsentClient,
  call: Call,
  { mailboxes }: MailboxConsentDeps,
): Promise<void> {
  const mailbox = await mailboxes.find(workspaceId, mailboxId, call);
  if (!mailbox) throw unknownMailbox(mailboxId);
  const present = mailbox.server && serverAt(mailbox.server.imapAddress);
  const { host, port } = serverAt(imapAddress);
  if (present?.host === host && present.port === port) return;
  refuse('mailboxId', `is a mailbox of another server; connect it again with its password, not by ${name}`);
}

/** After the logins were tried. The tokens move from the consent to the mailbox, sealed as they are. */
async function connectByConsent(
  { workspaceId, sessionId, consentId, mailboxId }: ConnectByConsentRequest,
  call: Call,
  deps: MailboxConsentDeps,
): Promise<Mailbox> {
  const now = deps.context.clock.date();
  const consent = await deps.consents.takeGiven(workspaceId, { id: consentId, sessionId, mailboxId }, now, call);
  const client = consent && deps.consentClients.find(consent.provider);
  if (!client) throw notValid();
  const { email, credentials } = consent;
  const login = { server: serverOf(consent, client), credentials };
  if (consent.isReconnect) return replaceLogin(workspaceId, consent.mailboxId, login, call, deps);
  return insertMailbox(workspaceId, { mailboxId: consent.mailboxId, email, ...login }, deps);
}

const serverOf = ({ email }: GivenConsent, { imapAddress, smtpAddress }: ConsentClient) => ({
  imapAddress,
  smtpAddress,
  user: email,
  ca: '',
});
