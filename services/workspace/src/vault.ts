import { ApiError } from '@postroom/errors/api-error';
import type { EnvelopePart } from '@postroom/mail-store/documents/mailbox';
import { rewrap, seal, unseal } from '@postroom/secrets/envelope';
import { readKeys, type MasterKey } from '@postroom/secrets/key-folder';
import { fromSealed, toSealed, type Credentials } from './credentials.ts';

/** Whose credentials they are. They open for nobody else, so that no document can be given another's. */
export interface MailboxName {
  workspaceId: string;
  mailboxId: string;
}

export interface Vault {
  /** The newest first. */
  keys(): Promise<MasterKey[]>;
  seal(of: MailboxName, credentials: Credentials): Promise<EnvelopePart>;
  open(of: MailboxName, envelope: EnvelopePart): Promise<Credentials>;
  /** Under the newest key. */
  rewrap(of: MailboxName, envelope: EnvelopePart): Promise<EnvelopePart>;
}

const ownerOf = ({ workspaceId, mailboxId }: MailboxName) => [workspaceId, mailboxId];

/** Keeps what mailboxes are logged in with, under the keys of a folder. */
export function openVault(folder: string | undefined): Vault {
  const keys = async () => {
    const found = folder === undefined ? [] : await readKeys(folder);
    if (found.length > 0) return found as [MasterKey, ...MasterKey[]];
    const message = 'There is no key to seal passwords with: SECRET_KEYS names a folder that holds one.';
    throw new ApiError('CONFLICT', { message });
  };
  return {
    keys,
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
