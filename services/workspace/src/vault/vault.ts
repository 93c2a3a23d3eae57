import type { EnvelopePart } from '@postroom/mail-store/documents/mailbox';
import { type Keyring, openKeyring } from '@postroom/secrets/keyring';
import { fromSealed, toSealed, type Credentials } from './credentials.ts';

export type { AccessToken, Credentials, OAuthCredentials, OAuthGrant } from './credentials.ts';
export type { CredentialStore, RenewalStore, SealedStore } from './credential-store.ts';

/** The owner of the credentials. They open for no other mailbox, so a copy to another document is useless. */
interface MailboxName {
  workspaceId: string;
  mailboxId: string;
}

export interface Vault extends Pick<Keyring, 'keys' | 'unreadable'> {
  seal(of: MailboxName, credentials: Credentials): Promise<EnvelopePart>;
  open(of: MailboxName, envelope: EnvelopePart): Promise<Credentials>;
  /** Under the newest key. */
  rewrap(of: MailboxName, envelope: EnvelopePart): Promise<EnvelopePart>;
}

const ownerOf = ({ workspaceId, mailboxId }: MailboxName) => [workspaceId, mailboxId];

/** Keeps what mailboxes are logged in with, under the keys of a folder. */
export function openVault(folder: string | undefined): Vault {
  const { keys, unreadable, ...keyring } = openKeyring(folder);
  return {
    keys,
    unreadable,
    seal: (of, credentials) => keyring.seal(ownerOf(of), toSealed(credentials)),
    open: async (of, envelope) => fromSealed(await keyring.open(ownerOf(of), envelope)),
    rewrap: (of, envelope) => keyring.rewrap(ownerOf(of), envelope),
  };
}
