import { setTimeout as pause } from 'node:timers/promises';
import { queryOf } from '../../../support/emails.ts';
import type { Attack } from '../attack.ts';
import { bearer, calls, head, neighbourOf, openWire } from '../wire.ts';

const LONG = 'x'.repeat(8_000);

/** As many conditions as a tree may have, each as hard as one may be. */
const heaviestTree = {
  id: 'root',
  _and: Array.from({ length: 50 }, (_, n) => ({
    id: String(n),
    label: 'any_text',
    type: 'not_contains',
    value: `aab${n}${'aa'.repeat(45)}`,
  })),
};

/** These queries are refused or find nothing. */
const ODD_QUERIES: readonly string[] = [
  '/emails?filters=%5B%5D',
  `/emails?${queryOf({ filters: '['.repeat(4_000) })}`,
  `/emails?${queryOf({ filters: { id: 'x'.repeat(7_000), _and: [] } })}`,
  `/emails?${queryOf({ filters: { id: 'a', label: '__proto__', type: 'constructor', value: '' } })}`,
  `/emails?cursor=${LONG}`,
  `/emails/${LONG}`,
  `/emails/${LONG}/body`,
  `/emails?viewId=${LONG}`,
  `/emails?mailboxId=${LONG}`,
  `/emails?search=${'%CC%81'.repeat(200)}`,
  `/emails/search?q=${'%F0%9F%98%80'.repeat(200)}`,
  `/emails/search?q=${'%EF%B7%BA'.repeat(200)}`,
  `/emails/search?q=${encodeURIComponent('(a+)+$ .* $where {$gt:""}')}`,
  '/emails?limit=1e308',
  '/emails/__proto__',
  '/emails/%00',
  '/emails/search?q=%ED%A0%80%ED%A0%80',
];

/** Enough for a question to be on its way, and too little for an answer. */
const IMPATIENCE_MS = 10;

export const readers: readonly Attack[] = [
  {
    name: 'pages that nobody reads',
    who: 'reader',
    run: (target, ground) =>
      ground.storm(20, async (nth) => {
        const wire = openWire(target, ground, { reads: false });
        const { readKey } = neighbourOf(target, nth);
        wire.send(head('GET /api/v1/emails?limit=200', bearer(readKey)).repeat(20));
        ground.tally.done++;
        await wire.over;
      }),
  },
  {
    name: 'questions whose answer nobody waits for',
    who: 'reader',
    run: (target, ground) =>
      ground.storm(4, async () => {
        const wire = openWire(target, ground);
        const query = queryOf({ filters: heaviestTree, limit: '200' });
        wire.send(head(`GET /api/v1/emails?${query}`, bearer(target.spender.readKey)));
        await pause(IMPATIENCE_MS);
        wire.socket.resetAndDestroy();
        await wire.over;
      }),
  },
  {
    name: 'hidden mail by a rare subject',
    who: 'reader',
    run: calls('readKey', 4, (client) => client.get('/emails?filtered=only')),
  },
  {
    name: 'common words that never meet',
    who: 'reader',
    run: calls('readKey', 4, (client) => client.get('/emails/search?q=common+often')),
  },
  {
    name: 'the heaviest filter tree there may be',
    who: 'reader',
    run: calls('readKey', 4, (client) => client.get(`/emails?${queryOf({ filters: heaviestTree, limit: '200' })}`)),
  },
  {
    name: 'html that nests without end',
    who: 'reader',
    run: calls('readKey', 6, (client, { nestedId }) => client.get(`/emails/${nestedId}/body`)),
  },
  {
    name: 'odd trees, cursors, ids and words',
    who: 'reader',
    run: calls('readKey', 6, (client, _, nth) => client.get(ODD_QUERIES[nth % ODD_QUERIES.length] as string)),
  },
  {
    name: 'views, labels and filters at their bounds, listed',
    who: 'reader',
    run: calls('readKey', 4, (client, _, nth) =>
      client.get(['/views', '/labels', '/filters', '/emails?folderType=INBOX'][nth % 4] as string),
    ),
  },
];
