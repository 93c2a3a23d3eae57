import { ApiError } from '@postroom/errors/api-error';
import { type Envelope, type Owner, rewrap, seal, unseal } from './envelope.ts';
import { readKeys, unreadableKeys, type MasterKey } from './key-folder.ts';
import type { Secret } from './secret.ts';

/** The keys of a folder, and what is sealed under them. */
export interface Keyring {
  /** The newest first. CONFLICT where there is none. */
  keys(): Promise<MasterKey[]>;
  /** The names of files in the folder that hold no key. */
  unreadable(): Promise<string[]>;
  seal(owner: Owner, secret: Secret): Promise<Envelope>;
  open(owner: Owner, envelope: Envelope): Promise<Secret>;
  /** Under the newest key. */
  rewrap(owner: Owner, envelope: Envelope): Promise<Envelope>;
}

export function openKeyring(folder: string | undefined): Keyring {
  const read = async () => (folder === undefined ? { keys: [], unreadable: [] } : readKeys(folder));
  const keys = async () => {
    const { keys: found, unreadable } = await read();
    if (found.length > 0) return found as [MasterKey, ...MasterKey[]];
    const none = 'There is no key to seal secrets with: SECRET_KEYS names a folder that holds one.';
    throw new ApiError('CONFLICT', { message: unreadable.length > 0 ? unreadableKeys(unreadable) : none });
  };
  return {
    keys,
    unreadable: async () => (await read()).unreadable,
    seal: async (owner, secret) => seal(secret, owner, (await keys())[0]),
    open: async (owner, envelope) => unseal(envelope, owner, await keys()),
    rewrap: async (owner, envelope) => {
      const all = await keys();
      return rewrap(envelope, owner, all, all[0]);
    },
  };
}
