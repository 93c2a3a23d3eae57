import { ApiError } from '@postroom/errors/api-error';
import type { EnvelopePart } from '@postroom/mail-store/documents/mailbox';
import { rewrap, seal, unseal } from '@postroom/secrets/envelope';
import { readKeys, unreadableKeys, type MasterKey } from '@postroom/secrets/key-folder';
import { fromSealed, toSealed, type Credentials } from './credentials.ts';

export type { AccessToken, Credentials, OAuthCredentials, OAuthGrant } from './credentials.ts';
export type { CredentialStore, RenewalStore, SealedStore } from './credential-store.ts';

/** The owner of the credentials. They open for no other mailbox, so a copy to another document is useless. */
export interface MailboxName {
  workspaceId: string;
  mailboxId: string;
}

export interface Vault {
  /** The newest first. */
  keys(): Promise<MasterKey[]>;
  /** The names of files in the folder that hold no key. */
  unreadable(): Promise<string[]>;
  seal(of: MailboxName, credentials: Credentials): Promise<EnvelopePart>;
  open(of: MailboxName, envelope: EnvelopePart): Promise<Credentials>;
  /** Under the newest key. */
  rewrap(of: MailboxName, envelope: EnvelopePart): Promise<EnvelopePart>;
}

const ownerOf = ({ workspaceId, mailboxId }: MailboxName) => [workspaceId, mailboxId];

/** Keeps what mailboxes are logged in with, under the keys of a folder. */
export function openVault(folder: string | undefined): Vault {
  const read = async () => (folder === undefined ? { keys: [], unreadable: [] } : readKeys(folder));
  const keys = async () => {
    const { keys: found, unreadable } = await read();
    if (found.length > 0) return found as [MasterKey, ...MasterKey[]];
    const none = 'There is no key to seal passwords with: SECRET_KEYS names a folder that holds one.';
    throw new ApiError('CONFLICT', { message: unreadable.length > 0 ? unreadableKeys(unreadable) : none });
  };
  return {
    keys,
    unreadable: async () => (await read()).unreadable,
    seal: async (of, credentials) => {
      const [newest] = await keys();
      return seal(toSealed(credentials), ownerOf(of), newest);
    },
    open: async (of, envelope) => fromSealed(unseal(envelope, ownerOf(of), await keys())),
    rewrap: async (of, envelope) => {
      const all = await keys();
      return rewrap(envelope, ownerOf(of), all, all[0]);
    },
  };
}
