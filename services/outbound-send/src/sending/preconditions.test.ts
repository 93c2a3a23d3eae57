import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { manualClock } from '@postroom/runtime/clock';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createPreconditionStore } from './precondition-store.ts';
import { createReplyStore } from '../replies/reply-store.ts';
import { memorySends } from './memory-sends.test-support.ts';
import { unmetPrecondition } from './preconditions.ts';

const MINUTE_MS = 60_000;
const RULE_AT = new Date('2026-02-01T12:00:00Z');
const clock = manualClock('2026-03-01T12:00:00.700Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

/** Within the hour of it, and not within the hour before it was made. */
const ANSWERED = {
  correspondent: 'bob@other.example',
  scheduledSendAt: new Date(clock.now() - 59 * MINUTE_MS),
  createdAt: new Date(clock.now() - 61 * MINUTE_MS),
};

type Kind = 'forward' | 'reply';
type Name = 'workspaces' | 'mailboxes' | 'autoForwardRules' | 'aiLabelRules' | 'labels' | 'emails';
let counter = 0;

/** A send of a workspace of its own where nothing stands in its way, and what may be changed about that. */
async function world(kind: Kind) {
  const workspaceId = `wsp_${++counter}`;
  const id = (name: string) => `${name}_${counter}`;
  const put = (name: Name, document: object) =>
    database.collections[name].collection.insertOne({ workspaceId, ...document } as never);
  const change = (name: Name, _id: string, change: object) =>
    database.collections[name].collection.updateOne({ _id: id(_id) as never }, { $set: change });
  const send: SendDocument = {
    ...memorySends().make(kind, clock.date(), clock.date()),
    _id: id('snd_m'),
    workspaceId,
    mailboxId: id('mbx'),
    ruleId: id('rule'),
    sourceEmailId: id('source'),
    draftId: kind === 'reply' ? id('draft') : null,
    correspondent: kind === 'reply' ? 'bob@other.example' : null,
    scheduledSendAt: kind === 'reply' ? clock.date() : null,
    ...(kind === 'reply' && { ruleUpdatedAt: RULE_AT }),
  };
  const location = { mailboxId: id('mbx'), threadId: id('thr'), date: clock.date() };
  const email = (name: string, parts: object) =>
    put('emails', { _id: id(name), sourceKey: name, messageKey: name, ...location, ...parts });
  const replies = { labelId: id('label'), autoDraftEnabled: true, autoReplyEnabled: true };
  await Promise.all([
    put('workspaces', { _id: workspaceId, suspendedAt: null, plan: 'expert', planUntil: null }),
    put('mailboxes', { _id: id('mbx'), status: 'active' }),
    put('autoForwardRules', { _id: id('rule'), isActive: true, forwardTo: 'bob@other.example' }),
    put('aiLabelRules', { _id: id('rule'), updatedAt: RULE_AT, ...replies }),
    put('labels', { _id: id('label'), nameKey: 'x', deletedAt: null }),
    email('source', {
      folderType: 'INBOX',
      messageId: '<asks@other.example>',
      classifiedAt: clock.date(),
      labelIds: [id('label')],
    }),
    email('draft', { folderType: 'DRAFTS', scheduledStatus: 'pending' }),
  ]);
  return {
    send,
    change,
    email,
    remove: (name: Name, _id: string) => database.collections[name].collection.deleteOne({ _id: id(_id) as never }),
    /** Others of its kind, by default of the same rule and mailbox and a minute before it. */
    others: async (count: number, parts: Partial<SendDocument> = {}, named = 'snd_o') => {
      const createdAt = new Date(clock.now() - MINUTE_MS);
      const other = { ...send, draftId: null, correspondent: null, scheduledSendAt: null, createdAt, ...parts };
      const all = Array.from({ length: count }, (_, n) => ({ ...other, _id: `${id(named)}_${n}` }));
      await database.collections.sends.collection.insertMany(all as never[]);
    },
    said: () =>
      unmetPrecondition(send, {
        store: createPreconditionStore(database.collections),
        replies: createReplyStore(database.collections),
        clock,
        repliesPerHour: 3,
        draftIsUnchanged: async () => true,
        agentsAreStopped: async () => false,
      }),
  };
}
type World = Awaited<ReturnType<typeof world>>;
type Case = [string, (here: World) => Promise<unknown>];

const disconnected: Case = [
  'the mailbox is disconnected',
  (here) => here.change('mailboxes', 'mbx', { status: 'off' }),
];
const discarded: Case = [
  'the email was thrown away, or is spam',
  (here) => here.change('emails', 'source', { folderType: 'TRASH' }),
];
const preconditions: Record<Kind, Case[]> = {
  forward: [
    disconnected,
    ['the workspace is suspended', (here) => here.change('workspaces', 'wsp', { suspendedAt: clock.date() })],
    discarded,
    [discarded[0], (here) => here.change('emails', 'source', { folderType: 'SPAM' })],
    [discarded[0], (here) => here.remove('emails', 'source')],
    ...[
      (here: World) => here.change('autoForwardRules', 'rule', { isActive: false }),
      (here: World) => here.change('autoForwardRules', 'rule', { forwardTo: 'cy@other.example' }),
      (here: World) => here.remove('autoForwardRules', 'rule'),
    ].map((meanwhile): Case => ['the rule is off or gone, or forwards to another address now', meanwhile]),
  ],
  reply: [
    disconnected,
    ['the subscription has ended', (here) => here.change('workspaces', 'wsp', { plan: 'free' })],
    ['the rule is off or gone', (here) => here.change('aiLabelRules', 'rule', { autoReplyEnabled: false })],
    ['the rule is off or gone', (here) => here.change('labels', 'label', { deletedAt: clock.date() })],
    ['the rule was changed since', (here) => here.change('aiLabelRules', 'rule', { updatedAt: clock.date() })],
    ['the label was taken off the email', (here) => here.change('emails', 'source', { labelIds: ['another'] })],
    ['the draft is in the trash', (here) => here.change('emails', 'draft', { folderType: 'TRASH' })],
    discarded,
    ['somebody works on the draft', (here) => here.change('emails', 'draft', { scheduledStatus: 'canceled' })],
    ['somebody has answered', (here) => here.email('answer', { folderType: 'SENT' })],
    [
      'somebody has answered',
      (here) => here.email('answer', { folderType: 'SENT', date: new Date(Math.floor(clock.now() / 1_000) * 1_000) }),
    ],
    [
      'somebody has answered',
      (here) => {
        const date = new Date(clock.now() - 5_000);
        return here.email('answer', { folderType: 'SENT', inReplyTo: '<asks@other.example>', date });
      },
    ],
    [
      'the sender has been answered often enough',
      (here) => {
        here.send.lastError = 'the server is not available';
        return here.others(4, ANSWERED);
      },
    ],
    [
      'the mailbox has answered as many emails within an hour as it may',
      (here) => here.others(3, { ruleId: 'another', correspondent: 'cy@other.example' }),
    ],
  ],
};

/** Sends that do not count against a reply. */
const harmless: Case[] = [
  ['one less than the bound', (here) => here.others(2)],
  ['those of another mailbox', (here) => here.others(9, { mailboxId: 'another' })],
  ['those of another kind', (here) => here.others(9, { kind: 'forward' })],
  [
    'what was answered to others at other times',
    (here) =>
      here.others(9, {
        correspondent: 'bob@other.example',
        scheduledSendAt: new Date(clock.now() - 61 * MINUTE_MS),
        createdAt: new Date(clock.now() - 61 * MINUTE_MS),
      }),
  ],
  ['answers to the sender that its own call has counted', (here) => here.others(9, ANSWERED)],
  ['a label that is not put on yet', (here) => here.change('emails', 'source', { labelIds: [], classifiedAt: null })],
  [
    'what was sent into the thread before the email came',
    (here) => here.email('earlier', { folderType: 'SENT', date: new Date(clock.now() - 5_000) }),
  ],
  [
    'those of more than an hour before',
    (here) => here.others(9, { createdAt: new Date(clock.now() - 61 * MINUTE_MS) }),
  ],
  ['those that came after it', (here) => here.others(9, { createdAt: new Date(clock.now() + 1) })],
  ['those that were called back', (here) => here.others(9, { state: 'canceled' })],
  ['those of another workspace', (here) => here.others(9, { workspaceId: 'another' })],
];

describe.each(['forward', 'reply'] as const)('a %s that has waited', (kind) => {
  it('goes out where nothing stands in its way', async () => {
    expect(await (await world(kind)).said()).toBeNull();
  });

  it.each(preconditions[kind])('is stopped because %s', async (unmet, meanwhile) => {
    const here = await world(kind);
    await meanwhile(here);
    expect(await here.said()).toBe(unmet);
  });
});

describe('a reply that has waited', () => {
  it.each(harmless)('is not stopped by %s', async (_which, meanwhile) => {
    const here = await world('reply');
    await meanwhile(here);
    expect(await here.said()).toBeNull();
  });

  it('comes after those of the same moment whose ids are lower, whoever asks', async () => {
    const here = await world('reply');
    const createdAt = clock.date();
    await here.others(9, { createdAt }, 'snd_z');
    expect(await here.said()).toBeNull();
    await here.others(3, { createdAt }, 'snd_a');
    expect(await here.said()).toMatch(/^the mailbox has/);
  });
});

describe('a send of an agent', () => {
  const good = { mailbox: true, workspace: true, allowed: true, unchanged: true };
  const unmet = (kind: 'approved' | 'send', now: Partial<typeof good>) => {
    const { mailbox, workspace, allowed, unchanged } = { ...good, ...now };
    const store = { mailboxIsActive: async () => mailbox, workspaceIsActive: async () => workspace };
    const deps = {
      store,
      clock,
      draftIsUnchanged: async () => unchanged,
      agentsAreStopped: async () => !allowed,
      repliesPerHour: 1,
    };
    const send = memorySends().make(kind, clock.date(), clock.date());
    return unmetPrecondition(send, deps as unknown as Parameters<typeof unmetPrecondition>[1]);
  };

  it.each([
    ['approved', { mailbox: false }, 'the mailbox is disconnected'],
    ['approved', { workspace: false }, 'the workspace is suspended'],
    ['approved', { allowed: false }, 'sending by agents is stopped'],
    ['approved', { unchanged: false }, 'the draft was changed or thrown away'],
    ['approved', {}, null],
    ['send', { allowed: false }, 'sending by agents is stopped'],
    ['send', {}, null],
  ] as const)('that was asked for as %s, with %j, is stopped: %s', async (kind, now, reason) => {
    expect(await unmet(kind, now)).toBe(reason);
  });
});
