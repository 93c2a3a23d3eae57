import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { ApiError } from '@postroom/errors/api-error';
import type { PasskeyDocument, PersonDocument } from '@postroom/mail-store/documents/identity';

type Verified = Pick<PasskeyDocument, '_id' | 'publicKey' | 'counter' | 'transports'>;

const hostOf = (origin: string): string => new URL(origin).hostname;

/** The passkey stands for both the address and the password, so the device must ask its owner each time. */
export function creationOptions(person: PersonDocument, known: readonly PasskeyDocument[], origin: string) {
  return generateRegistrationOptions({
    rpName: 'Postroom',
    rpID: hostOf(origin),
    userID: new Uint8Array(Buffer.from(person._id)),
    userName: person.email,
    userDisplayName: person.name || person.email,
    attestationType: 'none',
    excludeCredentials: known.map(({ _id }) => ({ id: _id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export function requestOptions(origin: string) {
  return generateAuthenticationOptions({ rpID: hostOf(origin), userVerification: 'required' });
}

/** The challenge that a response says it answers; whether it does is verified later. */
export function challengeIn(response: unknown): string | undefined {
  const { clientDataJSON } = (response as { response?: { clientDataJSON?: unknown } } | null)?.response ?? {};
  if (typeof clientDataJSON !== 'string') return undefined;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

export async function verifiedCreation(response: unknown, challenge: string, origin: string): Promise<Verified> {
  const { verified, registrationInfo } = await accepted(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      requireUserVerification: true,
    }),
  );
  if (!verified || !registrationInfo) throw refusal();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { _id: id, publicKey: Buffer.from(publicKey).toString('base64'), counter, transports };
}

/** Returns the new count of uses, which a copy of the passkey would not know. */
export async function verifiedUse(
  response: unknown,
  { _id, publicKey, counter }: PasskeyDocument,
  challenge: string,
  origin: string,
): Promise<number> {
  const { verified, authenticationInfo } = await accepted(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      credential: { id: _id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')), counter },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw refusal();
  return authenticationInfo.newCounter;
}

/** The library throws for every fault of a response, which is a browser's word and not ours. */
async function accepted<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    throw new ApiError('SIGN_IN_REFUSED', { message: REFUSED, cause });
  }
}

const REFUSED = 'The passkey was not accepted; try again, or use another way.';

export function refusal(): ApiError {
  return new ApiError('SIGN_IN_REFUSED', { message: REFUSED });
}
