import { readFileSync } from 'node:fs';
import { StartOptionError } from './start-option-error.ts';

interface WebhookOptions {
  'webhook-route'?: string[] | undefined;
  'webhook-ca'?: string | undefined;
  'webhook-delays'?: string | undefined;
  'webhook-disable-after'?: string | undefined;
}

const ROUTE = /^[a-z0-9.-]+=(\d+(\.\d+){3}|\[[0-9a-f:.]+\]):\d{1,5}$/i;
const DELAYS = /^\d+(\.\d+)?(,\d+(\.\d+)?){3}$/;
const SECONDS = /^[1-9]\d*$/;

/** The variables of webhook-delivery that `npm start` alone sets, because it is for development. */
export function webhookVariables(options: WebhookOptions): Record<string, string> {
  const routes = options['webhook-route'] ?? [];
  const ca = options['webhook-ca'];
  const delays = options['webhook-delays'];
  const disableAfter = options['webhook-disable-after'];
  for (const route of routes) check('--webhook-route', 'HOST=IP:PORT', ROUTE, route);
  if (delays !== undefined) check('--webhook-delays', 'four delays in seconds, with commas between', DELAYS, delays);
  if (disableAfter !== undefined) check('--webhook-disable-after', 'a whole number of seconds', SECONDS, disableAfter);
  return {
    POSTROOM_DEVELOPMENT: 'true',
    ...(routes.length > 0 && { WEBHOOK_ROUTES: routes.join(',') }),
    ...(ca !== undefined && { WEBHOOK_CA: authorityIn(ca) }),
    ...(delays !== undefined && { WEBHOOK_DELAYS: delays }),
    ...(disableAfter !== undefined && { WEBHOOK_DISABLE_AFTER: disableAfter }),
  };
}

function check(option: string, expected: string, pattern: RegExp, text: string): void {
  if (!pattern.test(text)) throw new StartOptionError(`${option} takes ${expected}, not "${text}"`);
}

function authorityIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartOptionError(`--webhook-ca names ${file}, which cannot be read (${code})`);
  }
}
