import type { Page } from 'playwright-core';

/** A device that keeps passkeys, and says yes whenever it is asked. */
export async function plugInAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devices.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } });
}
