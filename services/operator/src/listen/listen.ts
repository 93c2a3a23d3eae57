import { isOneOf, WEBHOOK_EVENTS } from '@postroom/contract/lists';
import { isDelivered, newSigningSecret } from '@postroom/contract/webhook-signature';
import { defineCommand } from '../command/command.ts';
import type { CommandDeps } from '../command/command-deps.ts';
import { optional, textOption, UsageError } from '../command/option.ts';
import { printable } from '../command/output.ts';
import { deliverLocally, type LocalEndpoint } from './deliver-locally.ts';
import { follow } from './follow.ts';
import type { StreamedChange } from './stream.ts';

export const listenCommand = defineCommand({
  path: ['listen'],
  summary: 'Delivers each announced event to a local address, signed as a webhook, until Ctrl-C',
  options: {
    forwardTo: textOption('--forward-to <url>', 'the local address, such as http://127.0.0.1:3000/hook'),
    keyFile: optional('--api-key-file <file>', 'a file with an API key that may read (default: POSTROOM_API_KEY)'),
    baseUrl: optional('--url <url>', 'the API, up to /api/v1 (default: POSTROOM_URL, else that of "npm start")'),
  },
  run: async ({ forwardTo, keyFile, baseUrl }, deps) => {
    const endpoint = { url: localUrl(forwardTo), secret: newSigningSecret(), clock: deps.context.clock };
    const api = deps.api({ baseUrl, keyFile });
    const tell = teller(deps, forwardTo);
    const counts = { delivered: 0, failed: 0 };
    const { clock } = endpoint;
    await follow(
      api,
      { clock, signal: deps.signal, onStart: () => tell.started(endpoint.secret), onInterruption: tell.interrupted },
      async (change) => {
        const isSuccess = await deliver(change, endpoint, tell.delivered);
        if (isSuccess !== undefined) counts[isSuccess ? 'delivered' : 'failed']++;
      },
    );
    return {
      json: { type: 'stopped', ...counts },
      lines: [`Stopped: ${counts.delivered} delivered, ${counts.failed} failed.`],
    };
  },
});

type Tell = ReturnType<typeof teller>;

/** Whether the delivery succeeded; undefined for an event that webhooks do not deliver. */
async function deliver(change: StreamedChange, endpoint: LocalEndpoint, tell: Tell['delivered']) {
  const { id, event, createdAt, data } = change;
  if (!isOneOf(WEBHOOK_EVENTS, event)) return undefined;
  const outcome = await deliverLocally({ id, event, createdAt, data }, endpoint);
  const isSuccess = outcome.status !== null && isDelivered(outcome.status);
  tell({ id, event, createdAt, ...outcome }, isSuccess);
  return isSuccess;
}

interface DeliveryLine {
  id: string;
  event: string;
  createdAt: string;
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** With --json each line of standard output is one document. */
function teller({ output, json }: CommandDeps, forwardTo: string) {
  const say = (document: object, line: string) =>
    void output.write(`${json ? JSON.stringify(document) : printable(line)}\n`);
  return {
    started: (secret: string) => {
      say({ type: 'listening', forwardTo, secret }, `Deliveries go to ${forwardTo}, signed with ${secret}`);
    },
    interrupted: ({ reason, retryInMs }: { reason: string; retryInMs: number }) => {
      const next = `the next try, from the last change on, is in ${Math.ceil(retryInMs / 1_000)} s`;
      say({ type: 'interrupted', reason, retryInMs }, `Interrupted: ${reason}; ${next}.`);
    },
    delivered: (delivery: DeliveryLine, isSuccess: boolean) => {
      const { createdAt, event, id, status, durationMs, error } = delivery;
      const result = isSuccess ? 'delivered' : 'FAILED';
      say(
        { type: 'delivery', ...delivery },
        `${createdAt} ${event} ${id} ${result} ${status ?? error} (${durationMs} ms)`,
      );
    },
  };
}

function localUrl(written: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`--forward-to takes an address such as http://127.0.0.1:3000/hook, not "${written}"`);
  return url;
}
