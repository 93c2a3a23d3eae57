import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliveryBody, deliveryHeaders, newSigningSecret } from '@postroom/contract/webhook-signature';
import { eventually } from '../engines/eventually.ts';
import { skipAloud } from './skips.ts';
import { isInstalled, type Language, startReceiver, type Receiver } from './webhook-example.ts';

const secret = newSigningSecret();
const createdAt = '2026-03-01T12:00:00.000Z';
const MINUTE_MS = 60_000;

const change = (id: string) => ({ id, event: 'email.deleted', createdAt, data: { emailId: `eml_ü_${id}` } }) as const;
const HEADER = 'X-Service-Signature';

/** The signed delivery of a change, as it was sent some time ago. */
function delivery(id: string, { key = secret, agoMs = 0 } = {}) {
  const body = deliveryBody(change(id));
  return { body, headers: deliveryHeaders(change(id), body, { secret: key, at: new Date(Date.now() - agoMs) }) };
}

/** The checks of a receiver, on a machine that has its language. */
export function describeReceiver(language: Language): void {
  const isHere = isInstalled(language);
  if (!isHere) skipAloud(`the receiver of docs/webhooks.md in ${language.name}: it is not installed here`);
  (isHere ? describe : describe.skip)(`the receiver of docs/webhooks.md in ${language.name}`, () => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver(language, secret);
    });
    afterAll(() => receiver?.close());

    const post = async ({ body, headers }: { body: string; headers: Record<string, string> }) =>
      (await fetch(receiver.url, { method: 'POST', body, headers })).status;
    const changed = (id: string, signature: (original: string) => string) => {
      const { body, headers } = delivery(id);
      return { body, headers: { ...headers, [HEADER]: signature(headers[HEADER] ?? '') } };
    };

    it('takes a genuine delivery, and handles a repeated one once', async () => {
      expect(await post(delivery('evt_1'))).toBe(204);
      expect(await post(delivery('evt_1', { agoMs: 4 * MINUTE_MS }))).toBe(204);
      expect(await post(delivery('evt_2', { agoMs: -4 * MINUTE_MS }))).toBe(204);
      await eventually(() => {
        expect(receiver.lines()).toEqual([expect.stringContaining('evt_1'), expect.stringContaining('evt_2')]);
        return Promise.resolve();
      });
      expect(receiver.lines()[0]).toContain('eml_ü_evt_1');
    });

    it('401 for everything else, and handles none of it', async () => {
      const before = receiver.lines();
      const genuine = delivery('evt_9');
      const forged = [
        { ...genuine, body: genuine.body.replace('eml', 'EML') },
        { ...genuine, body: `${genuine.body}\n` },
        { ...genuine, body: '' },
        delivery('evt_9', { key: newSigningSecret() }),
        delivery('evt_9', { key: secret.slice('whsec_'.length) }),
        delivery('evt_9', { agoMs: 6 * MINUTE_MS }),
        delivery('evt_9', { agoMs: -6 * MINUTE_MS }),
        changed('evt_9', (text) => text.replace(/^t=\d+/, `t=${Math.floor(Date.now() / 1_000) + 1}`)),
        changed('evt_9', (text) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
        changed('evt_9', (text) => text.slice(0, -1)),
        changed('evt_9', (text) => text.toUpperCase()),
        changed('evt_9', (text) => text.replace(/v1=.*/, 'v1=')),
        changed('evt_9', () => ''),
        changed('evt_9', () => 't=99999999999999999999,v1=0'),
      ];
      for (const each of forged) expect([each, await post(each)]).toEqual([each, 401]);
      const { [HEADER]: _signature, ...unsigned } = genuine.headers;
      expect(await post({ ...genuine, headers: unsigned })).toBe(401);
      expect(receiver.lines()).toEqual(before);
    });
  });
}
