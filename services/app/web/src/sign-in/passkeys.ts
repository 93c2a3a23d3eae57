import type { PasskeyAnswer, SignedInAnswer } from '@postroom/app/answers';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from '../api/call.ts';

/** Browsers have passkeys on safe origins alone: https, and localhost. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window;

const load = () => import('@simplewebauthn/browser');

export async function signInByDevice(): Promise<SignedInAnswer> {
  const { startAuthentication } = await load();
  const { options } = await call<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    '/session/passkey/options',
    {
      body: {},
    },
  );
  const response = await inWords(startAuthentication({ optionsJSON: options }));
  return await call('POST', '/session/passkey', { body: { response } });
}

export async function registerDevice(name: string): Promise<PasskeyAnswer> {
  const { startRegistration } = await load();
  const { options } = await call<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    'POST',
    '/account/passkeys/options',
    {
      body: {},
    },
  );
  const response = await inWords(startRegistration({ optionsJSON: options }));
  const body = { ...(name.trim() !== '' && { name: name.trim() }), response };
  const { passkey } = await call<{ passkey: PasskeyAnswer }>('POST', '/account/passkeys', { body });
  return passkey;
}

/** The browser's own sentences are for developers. */
async function inWords<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError') {
      throw new Error('This device has a passkey of yours already.', { cause: error });
    }
    throw new Error('The passkey was not used: the question was closed, or the device did not answer in time.', {
      cause: error,
    });
  }
}
