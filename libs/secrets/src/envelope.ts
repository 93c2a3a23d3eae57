import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './key-folder.ts';
import { secretOf, type Secret } from './secret.ts';

/** A secret at rest: sealed with a key of its own, which is wrapped by a master key. All three are base64 or a name. */
export interface Envelope {
  /** The master key's id. */
  keyId: string;
  wrappedKey: string;
  sealed: string;
}

/** The owner of a secret, such as workspace and mailbox. An envelope that is copied to another owner does not open. */
export type Owner = readonly string[];

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal(secret: Secret, owner: Owner, master: MasterKey): Envelope {
  const dataKey = randomBytes(KEY_BYTES);
  return {
    keyId: master.id,
    wrappedKey: encrypt(dataKey, master.bytes, owner),
    sealed: encrypt(Buffer.from(secret.reveal()), dataKey, owner),
  };
}

/** Throws when the key is missing, or when the envelope was changed or belongs to another owner. */
export function unseal(envelope: Envelope, owner: Owner, keys: readonly MasterKey[]): Secret {
  return secretOf(decrypt(envelope.sealed, unwrap(envelope, owner, keys), owner).toString('utf8'));
}

/** The same secret under another master key. The sealed text stays the same. */
export function rewrap(envelope: Envelope, owner: Owner, keys: readonly MasterKey[], master: MasterKey): Envelope {
  const wrappedKey = encrypt(unwrap(envelope, owner, keys), master.bytes, owner);
  return { ...envelope, keyId: master.id, wrappedKey };
}

function unwrap({ keyId, wrappedKey }: Envelope, owner: Owner, keys: readonly MasterKey[]): Buffer {
  const master = keys.find(({ id }) => id === keyId);
  if (!master) throw new Error(`there is no key ${keyId} in the folder of keys`);
  return decrypt(wrappedKey, master.bytes, owner);
}

function encrypt(plain: Buffer, key: Buffer, owner: Owner): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(nameOf(owner));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function decrypt(text: string, key: Buffer, owner: Owner): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(nameOf(owner)).setAuthTag(bytes.subarray(end));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, end)), decipher.final()]);
}

/** The owner as JSON, so that no two owners have the same text. */
function nameOf(owner: Owner): Buffer {
  return Buffer.from(JSON.stringify(owner));
}
