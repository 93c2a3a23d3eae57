import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { ROOT } from '../guards/sources.ts';
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

/** The pages of the app, from the sources of now. */
export const buildPages = (): Buffer =>
  execFileSync(process.execPath, [join(ROOT, 'services/app/web/build.mjs')], { stdio: 'ignore' });
