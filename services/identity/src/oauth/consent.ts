import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOneOf } from '@postroom/contract/lists';
import type { PersonDocument } from '@postroom/mail-store/documents/identity';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type Provider from 'oidc-provider';
import type { PeopleDeps } from '../people/people.ts';
import { useSession } from '../sessions/sessions.ts';
import { refuseInWords, showHtml } from './answers.ts';
import { consentPage } from './consent-page.ts';
import { choicesOf, clientOf, giveGrant, type GiveGrantDeps, type Interaction, scopesOf } from './give-grant.ts';
import { formTargetOf, hostOf, shownName } from './names.ts';
import { CONSENT_PATH } from './provider.ts';

export interface ConsentDeps extends GiveGrantDeps, Pick<PeopleDeps, 'people' | 'sessions'> {}

interface ConsentSettings {
  issuer: string;
  resource: string;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

interface Question extends Exchange {
  interaction: Interaction;
  person: PersonDocument;
}

interface Server {
  provider: Provider;
  settings: ConsentSettings;
  deps: ConsentDeps;
}

const LONGEST_BODY = 4_096;

/** The page that asks a person, and the answer to it. */
export function createConsent(provider: Provider, settings: ConsentSettings, deps: ConsentDeps) {
  const server: Server = { provider, settings, deps };
  return async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const interaction = await provider.interactionDetails(request, response).catch(() => null);
    if (!interaction || request.url !== `${CONSENT_PATH}/${interaction.uid}`) {
      const sentence = 'This request has expired, or it began in another browser.';
      return refuseInWords(response, deps.context.ids, 400, sentence);
    }
    const person = await personOf(request, server);
    if (person) return (request.method === 'POST' ? answer : ask)({ ...exchange, interaction, person }, server);
    const next = encodeURIComponent(`${CONSENT_PATH}/${interaction.uid}`);
    response.writeHead(303, { location: `/app/sign-in?next=${next}`, 'cache-control': 'no-store' }).end();
  };
}

async function ask({ response, interaction, person }: Question, { provider, deps }: Server): Promise<void> {
  const { clientId, redirectUri } = clientOf(interaction);
  const returnsTo = hostOf(redirectUri);
  const workspaces = await choicesOf(person, deps);
  const { ids } = deps.context;
  if (workspaces.length === 0) return refuseInWords(response, ids, 403, 'You are a member of no workspace.');
  const client = await provider.Client.find(clientId);
  const question = {
    action: `${CONSENT_PATH}/${interaction.uid}`,
    clientName: shownName(client?.clientName, returnsTo),
    returnsTo,
    scopes: scopesOf(interaction),
    personEmail: person.email,
    workspaces,
  };
  const html = (nonce: string) => consentPage({ ...question, nonce });
  showHtml(response, ids, { status: 200, html, formTargets: `'self' ${formTargetOf(redirectUri)}` });
}

async function answer(question: Question, { provider, settings, deps }: Server): Promise<void> {
  const { request, response, body, interaction, person } = question;
  const { ids } = deps.context;
  if (!isSameOrigin(request, settings.issuer) || body.length > LONGEST_BODY)
    return refuseInWords(response, ids, 403, 'This answer did not come from the page that asked.');
  const form = new URLSearchParams(body);
  if (form.get('decision') !== 'allow') {
    const denied = { error: 'access_denied', error_description: 'the person said no' };
    return provider.interactionFinished(request, response, denied);
  }
  const choice = (await choicesOf(person, deps)).find(({ id }) => id === form.get('workspace'));
  const level = scopesOf(interaction).includes('write') ? form.get('level') : 'read';
  if (!choice || !isOneOf(choice.levels, level)) return refuseInWords(response, ids, 400, 'This choice is not yours.');
  const given = { interaction, person, choice, level, address: request.socket.remoteAddress ?? '' };
  const grantId = await giveGrant(provider, settings.resource, given, deps);
  const login = { accountId: person._id, remember: false };
  return provider.interactionFinished(request, response, { login, consent: { grantId } });
}

async function personOf(request: IncomingMessage, { settings, deps }: Server): Promise<PersonDocument | null> {
  const name = settings.issuer.startsWith('https:') ? '__Host-postroom_session' : 'postroom_session';
  const cookies = (request.headers.cookie ?? '').split('; ');
  const token = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  const session = token ? await useSession(token, deps, QUERY_BUDGET) : null;
  return session && deps.people.find(session.personId, QUERY_BUDGET);
}

/** Browsers send one of the two with every form. */
function isSameOrigin({ headers }: IncomingMessage, issuer: string): boolean {
  if (headers.origin !== undefined) return headers.origin === issuer;
  return headers['sec-fetch-site'] === 'same-origin';
}
