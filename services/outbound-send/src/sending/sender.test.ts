import { afterEach, describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import type { Delivery } from '../smtp/delivery.ts';
import { randomIds } from '@postroom/runtime/ids';
import { memorySends } from './memory-sends.test-support.ts';
import { anySlot } from './send-world.test-support.ts';
import type { SendPermit } from '../send-permits/send-permits.ts';
import { memoryPermits } from '../send-permits/memory-permits.test-support.ts';
import { createSender, type Sender, type SenderDeps } from './sender.ts';

const accepted: Delivery = { outcome: 'accepted', response: '250', serverMessageId: null, refused: [] };
const unavailable: Delivery = { outcome: 'refused', reason: 'away', isFinal: false, isServed: false, refused: [] };

let clock: ManualClock;
let sender: Sender | undefined;
/** The ids of the sends in transit, and of the sends that have arrived, both in order. */
let onTheWay: string[];
let arrived: string[];
/** The number of questions for a send that is due. */
let claims: number;
let stored: ReadonlyMap<string, SendDocument>;
/** Ends the deliveries that hang. */
let giveUp: () => void;
afterEach(async () => {
  giveUp();
  const closing = sender?.close();
  while (clock.sleeping > 0) await clock.advance(60_000);
  await closing;
});

interface Due {
  id: string;
  workspaceId: string;
  mailboxId: string;
  parts?: Partial<SendDocument>;
}

/** Forwards that are due in this order, to servers that hang where the mailbox's name says so. */
async function start(dues: Due[], concurrency: number, answer: Delivery = accepted): Promise<void> {
  clock = manualClock();
  [onTheWay, arrived] = [[], []];
  const { sends, make, all } = memorySends();
  stored = all;
  claims = 0;
  const hanging = new Promise<Delivery>((resolve) => (giveUp = () => resolve(unavailable)));
  for (const [order, { id, workspaceId, mailboxId, parts }] of dues.entries()) {
    const due = new Date(clock.now() - 60_000 + order);
    const send: SendDocument = { ...make('forward', due, due), _id: id, workspaceId, mailboxId, ...parts };
    await sends.insert(workspaceId, send);
  }
  const claimDue: typeof sends.claimDue = (...asked) => {
    claims += 1;
    return sends.claimDue(...asked);
  };
  const deps: SenderDeps = {
    sends: { ...sends, claimDue },
    permits: memoryPermits(),
    context: { clock, ids: randomIds, log: silentLog, tracing: noTracing },
    serverOf: async ({ _id, mailboxId }) => ({ host: mailboxId, port: 0, isSecure: false, isPlain: true, ca: _id }),
    deliver: async ({ host, ca: id = '' }) => {
      onTheWay.push(id);
      const delivery = await (host.startsWith('hung') ? hanging : answer);
      onTheWay = onTheWay.filter((other) => other !== id);
      arrived.push(id);
      return delivery;
    },
    attach: async () => ({ reason: 'nothing to attach', isFinal: true }),
    record: async ({ _id }) => _id,
    reportUndelivered: async () => undefined,
    draftIsUnchanged: async () => true,
    isFiled: async () => false,
    unmet: async ({ _id }) => (_id.startsWith('capped') ? 'as many as may' : null),
    slots: anySlot,
    show: async () => true,
    count: () => undefined,
  };
  const bounds = { perMailbox: 2, perWorkspace: 3, total: 50 };
  sender = createSender(deps, { concurrency, bounds, perMinute: 30, leaseMs: 60_000 });
  await nextImmediates();
}

const nextImmediates = async () => {
  for (let n = 0; n < 50; n++) await new Promise(setImmediate);
};
const many = (count: number, workspaceId: string, mailboxId: string): Due[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${mailboxId}-${n}`, workspaceId, mailboxId }));

describe('mail that is due', () => {
  it('goes out at once beside a mailbox whose server hangs, which has no more than its permits', async () => {
    await start([...many(20, 'w', 'hung'), ...many(1, 'w', 'well'), ...many(1, 'v', 'other')], 8);
    expect(onTheWay).toEqual(['hung-0', 'hung-1']);
    expect(arrived.toSorted()).toEqual(['other-0', 'well-0']);
  });

  it('waits no longer than a moment where the servers of more mailboxes hang than are worked on at once', async () => {
    const hung = Array.from({ length: 10 }, (_, n) => many(1, `w${n}`, `hung${n}`)).flat();
    await start([...hung, ...many(1, 'v', 'well')], 4);
    expect(arrived).toEqual([]);
    for (let waited = 0; waited < 15_000 && arrived.length === 0; waited += 1_000) {
      await clock.advance(1_000);
      await nextImmediates();
    }
    expect(arrived).toEqual(['well-0']);
    expect(onTheWay).toHaveLength(10);
  });

  it('of a workspace with one message does not wait for all of those with many', async () => {
    await start([...many(9, 'w', 'hung-a'), ...many(9, 'u', 'hung-b'), ...many(1, 'v', 'well')], 4);
    expect(arrived).toEqual(['well-0']);
    expect(onTheWay).toHaveLength(4);
  });

  it('is asked for no more when a send ends that no other waited for', async () => {
    await start(many(1, 'w', 'a'), 8);
    // One is found. Then nothing is due in other workspaces, nor in its own.
    expect([arrived, claims]).toEqual([['a-0'], 3]);
  });

  it('is asked for at once when the permit is free that it waited for', async () => {
    await start(many(3, 'w', 'hung'), 8);
    expect(onTheWay).toEqual(['hung-0', 'hung-1']);
    const before = claims;
    giveUp();
    await nextImmediates();
    expect([arrived.slice(0, 2), claims > before]).toEqual([['hung-0', 'hung-1'], true]);
  });

  it('is kept back while the server of its mailbox is not there', async () => {
    await start(many(10, 'w', 'a'), 8, unavailable);
    expect(arrived).toEqual(['a-0', 'a-1']);
    await clock.advance(4_000);
    await nextImmediates();
    expect(arrived).toHaveLength(2);
    await clock.advance(8_000);
    await nextImmediates();
    expect(arrived.length).toBeGreaterThan(2);
    expect(arrived.length).toBeLessThan(5);
  });

  it('leaves its mailbox no faster than the pace, and all of it at last', async () => {
    await start(many(40, 'w', 'a'), 8);
    expect(arrived).toHaveLength(31);
    for (let waited = 0; waited < 20; waited += 1) {
      await clock.advance(1_000);
      await nextImmediates();
    }
    expect(arrived).toHaveLength(40);
  });
});

describe('a send that contacts no server any more', () => {
  const ofMailbox = (mailboxId: string, parts: Partial<SendDocument>): Due => {
    return { id: `last-${parts.kind}-${parts.state}`, workspaceId: 'w', mailboxId, parts };
  };
  const endsOf = (mailboxId: string) => [
    ofMailbox(mailboxId, { kind: 'send', state: 'connecting' }),
    ofMailbox(mailboxId, { kind: 'forward', state: 'accepted' }),
    ofMailbox(mailboxId, { kind: 'send', state: 'accepted' }),
  ];
  const states = () => [...stored].flatMap(([id, { state }]) => (id.startsWith('last') ? [state] : []));

  it('is ended or stored at once while the server of its mailbox is unavailable, with much mail before it', async () => {
    await start([...many(30, 'w', 'a'), ...endsOf('a')], 8, unavailable);
    expect([states(), arrived]).toEqual([
      ['failed', 'recorded', 'recorded'],
      ['a-0', 'a-1'],
    ]);
  });

  it('is ended or stored at once while its mailbox has all its permits at a server that hangs', async () => {
    await start([...many(30, 'w', 'hung'), ...endsOf('hung')], 8);
    expect([states(), onTheWay]).toEqual([
      ['failed', 'recorded', 'recorded'],
      ['hung-0', 'hung-1'],
    ]);
  });
});

describe('a flood that may not leave', () => {
  it('is called off at once, and keeps up nothing else of its mailbox', async () => {
    await start([...many(100, 'w', 'capped'), { id: 'last', workspaceId: 'w', mailboxId: 'capped' }], 8);
    for (let attempt = 0; attempt < 20; attempt++) await nextImmediates();
    expect(arrived).toEqual(['last']);
  });
});

describe('a message that a caller waits for', () => {
  it('gets no permit beside others of its mailbox that hang, until one of them is over', async () => {
    await start([], 4);
    const whose = { workspaceId: 'w', mailboxId: 'a' };
    const held = [await sender?.permitWithin(whose, 0), await sender?.permitWithin(whose, 0)];
    const waiting = sender?.permitWithin(whose, 5_000);
    await nextImmediates();
    await held[0]?.leave();
    await nextImmediates();
    expect(await waiting).toBeDefined();
    await held[1]?.leave();
  });

  it('releases its permit when another process holds its send', async () => {
    await start([], 4);
    const whose = { workspaceId: 'w', mailboxId: 'a' };
    const [first, second] = [await sender?.permitWithin(whose, 0), await sender?.permitWithin(whose, 0)];
    const send = { ...memorySends().make('send', clock.date(), clock.date()), ...whose };
    await expect(sender?.begin(send, first as SendPermit, 1_000)).rejects.toThrow('another holder');
    const waiting = sender?.permitWithin(whose, 1_000);
    await nextImmediates();
    await clock.advance(1_000);
    const next = await waiting;
    expect(next).toBeDefined();
    await Promise.all([second?.leave(), next?.leave()]);
  });
});
