import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { PasswordHash } from '@postroom/mail-store/documents/identity';
import { createFairLimit } from '@postroom/runtime/fair-limit';

const LENGTH = 32;
const SALT_LENGTH = 16;

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Without a stored hash it takes as long, and is false: nobody learns which addresses have an account. */
  matches(password: string, stored: PasswordHash | null, visitorAddress: string): Promise<boolean>;
}

interface PasswordOptions {
  /** A hash takes 128 × 8 × this in bytes. 64 MB are about a fifth of a second of one processor. */
  cost: number;
  atOnce?: number;
  mostWaiting?: number;
}

/** Few hashes are computed at once, in rotation between the addresses that they are computed for. */
export function createPasswords({ cost, atOnce = 2, mostWaiting = 20 }: PasswordOptions): Passwords {
  const refusal = () =>
    new ApiError('RATE_LIMIT_EXCEEDED', { message: 'Too many people sign in from here; try again in a minute.' });
  const limit = createFairLimit({ total: atOnce, mostWaiting, refusal });
  const nobody: PasswordHash = { salt: newSalt(), hash: '', cost };
  return {
    async hash(password) {
      const salt = newSalt();
      const derived = await limit.run('new password', () => derive(password, salt, cost));
      return { salt, hash: derived.toString('base64'), cost };
    },

    async matches(password, stored, visitorAddress) {
      const { salt, hash, cost: storedCost } = stored ?? nobody;
      const derived = await limit.run(visitorAddress, () => derive(password, salt, storedCost));
      const expected = Buffer.from(hash, 'base64');
      return expected.length === derived.length && timingSafeEqual(expected, derived);
    },
  };
}

const newSalt = (): string => randomBytes(SALT_LENGTH).toString('base64');

/** Different keyboards write one letter in different code points, so both are brought to one form. */
function derive(password: string, salt: string, cost: number): Promise<Buffer> {
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), Buffer.from(salt, 'base64'), LENGTH, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    ),
  );
}
