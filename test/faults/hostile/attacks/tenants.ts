import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { asJson, bearer, bytesInChunks, calls, head, inChunks, neighbourOf, openWire } from '../wire.ts';

const MEGABYTES_IN_BYTES = bytesInChunks(250_000);
const MOST_AT_ONCE = 500;
const padding = 'x'.repeat(250_000);

export const tenants: readonly Attack[] = [
  {
    name: 'bodies in chunks of one byte',
    who: 'tenant',
    run: (target, ground) =>
      ground.storm(8, async (nth) => {
        const wire = openWire(target, ground);
        const { writeKey } = neighbourOf(target, nth);
        wire.send(head('POST /api/v1/labels', bearer(writeKey), asJson, inChunks));
        wire.send(MEGABYTES_IN_BYTES);
        await wire.over;
      }),
  },
  {
    name: 'bodies that come slowly',
    who: 'tenant',
    run: (target, ground) =>
      ground.storm(150, async (nth) => {
        const wire = openWire(target, ground);
        const { writeKey } = neighbourOf(target, nth);
        wire.send(head('POST /api/v1/labels', bearer(writeKey), asJson, 'Content-Length: 262144'));
        ground.tally.done++;
        while (!wire.socket.destroyed) {
          wire.send('x'.repeat(2_000));
          await pause(100);
        }
        await wire.over;
      }),
  },
  {
    name: 'bulk changes of all there may be',
    who: 'tenant',
    run: calls('writeKey', 2, (client, { emailIds }, nth) => {
      const body = { action: 'markRead', emailIds: emailIds.slice(0, MOST_AT_ONCE), isRead: nth % 2 === 0 };
      return client.post('/emails/bulk', body);
    }),
  },
  {
    name: 'one email changed over and over',
    who: 'tenant',
    run: calls('writeKey', 6, (client, { emailIds }, nth) =>
      client.patch(`/emails/${emailIds[0]}`, { isStarred: nth % 2 === 0, isRead: nth % 3 === 0 }),
    ),
  },
  {
    name: 'keys replayed with large bodies',
    who: 'tenant',
    run: calls('writeKey', 8, (client, _, nth) => {
      const headers = { 'idempotency-key': `key-${nth % 10}` };
      return client.post('/filters', { type: 'sender', value: `a@x.example`, padding }, { headers });
    }),
  },
  {
    name: 'a key of its own with each large body',
    who: 'tenant',
    run: calls('writeKey', 8, (client) =>
      client.post('/views', { name: 'View', padding }, { headers: { 'idempotency-key': randomUUID() } }),
    ),
  },
  {
    name: 'labels made, applied to all and deleted',
    who: 'tenant',
    run: calls('writeKey', 2, async (client, { emailIds }) => {
      const made = await client.post('/labels', { name: randomUUID(), color: 'Blue' });
      const labelId = made.body?.label?.id;
      if (!labelId) return made;
      await client.post('/emails/bulk', { action: 'applyLabel', labelId, emailIds: emailIds.slice(0, MOST_AT_ONCE) });
      return client.delete(`/labels/${labelId}`);
    }),
  },
  {
    name: 'huge ids, many of them',
    who: 'tenant',
    run: calls('writeKey', 6, (client, _, nth) => {
      const id = 'x'.repeat(nth % 2 === 0 ? 200 : 10_000);
      const emailIds = Array.from({ length: nth % 2 === 0 ? MOST_AT_ONCE : 20 }, (__, n) => `${id.slice(4)}${n}`);
      return client.post('/emails/bulk', { action: 'markRead', emailIds, isRead: true });
    }),
  },
  {
    name: 'more calls than the plan has',
    who: 'tenant',
    run: (target, ground) =>
      ground.storm(30, async () => {
        const wire = openWire(target, ground);
        wire.send(head('GET /api/v1/labels/none', bearer(target.spender.writeKey)).repeat(10));
        wire.socket.end();
        await wire.over;
      }),
  },
];
