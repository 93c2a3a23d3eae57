import type { Preset } from '@postroom/mail-server/presets';
import { providers } from '@postroom/mail-server/presets';
import type { VariableChanges } from '@postroom/runtime/variable-changes';
import { secretOf, type Secret } from '@postroom/secrets/secret';
import type { OAuthGrant } from '../vault/vault.ts';
import type { IdClaims } from './id-claims.ts';

/** The facts about a provider whose mailboxes are connected by consent. */
interface Facts {
  /** The company that asks the person. */
  name: string;
  authorizationEndpoint: string;
  /** Without each of them, mail cannot be read or sent. */
  mailScopes: readonly string[];
  /** For the address of the account, and for access that lasts. */
  otherScopes: readonly string[];
  parameters: Readonly<Record<string, string>>;
  addressIn(claims: IdClaims): string | undefined;
}

const facts = {
  gmail: {
    name: 'Google',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    mailScopes: ['https://mail.google.com/'],
    otherScopes: ['openid', 'email'],
    // Google gives a refresh token with the first consent alone, unless it asks again.
    parameters: { access_type: 'offline', prompt: 'consent' },
    addressIn: ({ email, email_verified: isVerified }) => (isVerified === true ? email : undefined),
  },
  microsoft365: {
    name: 'Microsoft',
    authorizationEndpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    mailScopes: ['https://outlook.office.com/IMAP.AccessAsUser.All', 'https://outlook.office.com/SMTP.Send'],
    otherScopes: ['openid', 'profile', 'offline_access'],
    parameters: { prompt: 'select_account' },
    // The claim "email" can hold whatever an administrator of any organization writes into it.
    addressIn: ({ preferred_username: name }) => name,
  },
} as const satisfies Partial<Record<Preset, Facts>>;

type ConsentProviderId = keyof typeof facts;
export const CONSENT_PROVIDERS = Object.keys(facts) as ConsentProviderId[];

const VARIABLES = { gmail: 'GMAIL', microsoft365: 'MICROSOFT365' } as const;
type Prefix = (typeof VARIABLES)[ConsentProviderId];
type Setting = 'CLIENT_ID' | 'CLIENT_SECRET' | 'AUTHORIZATION_URL' | 'TOKEN_URL' | 'IMAP_ADDR' | 'SMTP_ADDR';

export type ConsentClientSettings = Readonly<Partial<Record<`${Prefix}_${Setting}`, string | undefined>>>;

/** The client of this installation at a provider. */
export interface ConsentClient extends Facts {
  id: ConsentProviderId;
  clientId: string;
  clientSecret: Secret | undefined;
  tokenEndpoint: string;
  /** For endpoints that require it at each renewal. */
  scope: string | undefined;
  imapAddress: string;
  smtpAddress: string;
}

export interface ConsentClients {
  /** Undefined for an unknown provider, and for one that has no client. */
  find(id: string): ConsentClient | undefined;
  list(): { id: ConsentProviderId; name: string; imapAddress: string; isConfigured: boolean }[];
  /** The grant with the present secret of its client, which no mailbox keeps. */
  withSecret(grant: OAuthGrant): OAuthGrant;
}

export function openConsentClients(
  settings: ConsentClientSettings,
  { changes }: { changes: Pick<VariableChanges, 'on'> },
): ConsentClients {
  const secrets = new Map<ConsentProviderId, Secret>();
  for (const id of CONSENT_PROVIDERS) {
    const variable = `${VARIABLES[id]}_CLIENT_SECRET` as const;
    const text = settings[variable];
    if (text !== undefined) secrets.set(id, secretOf(text));
    changes.on(variable, (changed) => void secrets.set(id, secretOf(changed)));
  }
  const find = (id: string): ConsentClient | undefined => {
    const known = CONSENT_PROVIDERS.find((each) => each === id);
    const clientId = known && settings[`${VARIABLES[known]}_CLIENT_ID`];
    return known && clientId ? clientOf(known, clientId, secrets.get(known), settings) : undefined;
  };
  return {
    find,
    list: () =>
      CONSENT_PROVIDERS.map((id) => ({
        id,
        name: facts[id].name,
        imapAddress: settings[`${VARIABLES[id]}_IMAP_ADDR`] ?? providers[id].imap,
        isConfigured: find(id) !== undefined,
      })),
    withSecret: (grant) => {
      if (grant.clientSecret) return grant;
      const client = CONSENT_PROVIDERS.map(find).find(
        (each) => each?.clientId === grant.clientId && each.tokenEndpoint === grant.tokenEndpoint,
      );
      return { ...grant, clientSecret: client?.clientSecret };
    },
  };
}

function clientOf(
  id: ConsentProviderId,
  clientId: string,
  clientSecret: Secret | undefined,
  settings: ConsentClientSettings,
): ConsentClient {
  const own = (setting: Setting) => settings[`${VARIABLES[id]}_${setting}`];
  const preset = providers[id];
  return {
    ...facts[id],
    id,
    clientId,
    clientSecret,
    authorizationEndpoint: own('AUTHORIZATION_URL') ?? facts[id].authorizationEndpoint,
    tokenEndpoint: own('TOKEN_URL') ?? preset.tokenEndpoint,
    scope: preset.scope,
    imapAddress: own('IMAP_ADDR') ?? preset.imap,
    smtpAddress: own('SMTP_ADDR') ?? preset.smtp,
  };
}
