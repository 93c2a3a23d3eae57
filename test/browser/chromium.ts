import { existsSync } from 'node:fs';
import { it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { skipAloud } from '../support/skips.ts';

const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A test in a real browser; where there is none it is skipped, and says so. */
export function whenThereIsABrowser(): typeof it | typeof it.skip {
  if (existsSync(PROGRAM)) return it;
  skipAloud(
    'what happens in a browser: there is no Chromium (Debian has it in the package chromium; CHROMIUM names another)',
  );
  return it.skip;
}

/** It asks nobody for anything by itself. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
