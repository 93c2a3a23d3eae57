import { describe, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { StoreOutgoingRequest, UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { ScheduleReplyRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import type { Deps } from '../deps.ts';
import { recording } from '../recording/record-sent.ts';
import { replyHandlers } from './replies.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';
import { unmetPrecondition } from '../sending/preconditions.ts';
import { runSend } from '../sending/run-send.ts';
import type { SendDeps } from '../sending/send-deps.ts';

interface Draft {
  id: string;
  raw: string;
  scheduledStatus: string | undefined;
  scheduledSendAt: string | undefined;
}

const NOBODY = { mailboxIds: [], workspaceIds: [] };
const call = { workspaceId: 'wsp_1', operationId: 'reply:eml_1', remainingMs: () => 10_000 } as unknown as Call;
const asked = (text: string, draftOnly: boolean) =>
  ScheduleReplyRequest.create({ emailId: 'eml_1', ruleId: 'air_1', text, delayMinutes: 5, draftOnly });

/** Everything outside the handler, in memory; `before` and `after` hear of each call to it. */
function world({ others = 0, before = 0, standing = 'paid' } = {}) {
  const hooks = { before: () => undefined as void, after: () => undefined as void };
  const clock = manualClock();
  const memory = memorySends();
  const drafts = new Map<string, Draft>();
  const mailReader = {
    source: async () => source,
    mailbox: async () => mailbox,
    signatures: async () => [],
    answered: async (_workspaceId: string, _mailboxId: string, messageId: string) =>
      [...drafts.values()].filter(() => messageId !== source.messageId).map(({ id }) => ({ _id: id }))[0] ?? null,
  };
  const mailboxWrite = {
    storeOutgoing: async ({ raw, draftId, scheduledStatus, scheduledSendAt }: StoreOutgoingRequest) => {
      const draft = draftId === undefined ? undefined : drafts.get(draftId);
      if (draft) return Object.assign(draft, { scheduledStatus, scheduledSendAt });
      const made = { id: 'eml_draft', raw: raw.toString(), scheduledStatus, scheduledSendAt };
      const known = drafts.get(made.id) ?? made;
      drafts.set(known.id, known);
      return known;
    },
    updateOutgoing: async ({ emailId, scheduledStatus }: UpdateOutgoingRequest) => {
      Object.assign(drafts.get(emailId) as Draft, { scheduledStatus, scheduledSendAt: undefined });
    },
  };
  const replies = { standing: async () => standing, countAround: async () => others };
  const heard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, name) => {
        const real = Reflect.get(object, name) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          hooks.before();
          const answer = await real(...args);
          hooks.after();
          return answer;
        };
      },
    });
  const deps = {
    context: { clock, log: silentLog },
    sends: heard(memory.sends),
    mailReader: heard(mailReader),
    replies: heard(replies),
    mailboxWrite: heard(mailboxWrite),
    sender: { wake: () => undefined },
  } as unknown as Deps;
  const { scheduleReply } = replyHandlers(deps);
  const schedule = (text: string, draftOnly = false) => scheduleReply(asked(text, draftOnly), call);
  /** Much later the worker comes by */
  const workOff = async () => {
    await clock.advance(60 * 60_000);
    const due = await memory.sends.claimDue(clock.date(), new Date(clock.now() + 60_000), NOBODY);
    if (!due) return;
    const isSo = async () => true;
    const countBefore = async () => before;
    const there = { folderType: 'INBOX' };
    const store = { mailboxIsActive: isSo, emailsOf: async () => ({ source: there, draft: there }), countBefore };
    const stillSo = {
      ...replies,
      replyingRule: async () => ({ labelId: 'lbl_1', updatedAt: new Date(0) }),
      isAnswered: async () => false,
    };
    const left = { store, replies: stillSo, clock, repliesPerHour: 100 } as unknown as Parameters<
      typeof unmetPrecondition
    >[1];
    const sending = {
      sends: memory.sends,
      context: { clock, log: silentLog, tracing: noTracing },
      ...recording({ mailReader, mailboxWrite, labelRule: {}, context: { clock } } as never),
      unmet: (send: SendDocument) => unmetPrecondition(send, left),
      served: () => undefined,
      count: () => undefined,
      serverOf: async () => ({}),
      deliver: async () => ({ outcome: 'accepted', response: '250', serverMessageId: null, refused: [] }),
    };
    await runSend(due, sending as unknown as SendDeps);
  };
  const disconnect = () => void (mailReader.mailbox = async () => ({ ...mailbox, status: 'disconnected' }));
  return { hooks, drafts, only: memory.only as () => SendDocument | undefined, schedule, workOff, disconnect };
}
type World = ReturnType<typeof world>;

const source = {
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  folderType: 'INBOX',
  threadId: null,
  messageId: '<1@other.example>',
  references: [],
  from: { email: 'bob@other.example', name: null },
  to: [{ email: 'ann@acme.example', name: null }],
  cc: [],
  subject: 'Hello',
  isAutomatic: false,
  replyTo: null,
  failsDmarc: false,
};
const mailbox = { _id: 'mbx_1', email: 'ann@acme.example', name: null, status: 'active', aliases: [] };

/** Dies at one of its calls; false when it was done before. */
async function dies({ hooks, schedule }: World, at: number, when: 'before' | 'after', ...how: [string, boolean]) {
  let calls = 0;
  hooks[when] = () => {
    if (calls++ >= at) throw new Error('killed');
  };
  const isDead = await schedule(...how).then(
    () => false,
    (error: Error) => error.message === 'killed' || Promise.reject(error),
  );
  hooks[when] = () => undefined;
  return isDead;
}

/** Either one draft that is sent as it stands there when its time has come, or one that nothing will send. */
function expectOneReply({ drafts, only }: World) {
  const [draft, ...more] = drafts.values();
  expect(more).toEqual([]);
  const send = only();
  if (draft?.scheduledStatus === 'pending') {
    expect(send).toMatchObject({ state: 'scheduled', draftId: draft.id, correspondent: 'bob@other.example' });
    expect(send?.nextAt?.toISOString()).toBe(draft.scheduledSendAt);
    expect(send?.wire?.toString()).toBe(draft.raw);
  } else {
    expect(draft).toBeDefined();
    if (send) expect(send).toMatchObject({ state: 'canceled', nextAt: null });
  }
}

describe('a reply whose scheduling dies and is repeated with another text', () => {
  const how: [string, boolean, boolean][] = [
    ['to go out both times', false, false],
    ['to stay a draft the second time', false, true],
    ['to stay a draft the first time', true, false],
  ];
  describe.each(how)('%s', (_how, firstOnly, secondOnly) => {
    it.each(['before', 'after'] as const)('is one reply, killed %s each of its calls', async (when) => {
      let kills = 0;
      for (let at = 0, isDead = true; isDead; at++) {
        const tried = world();
        isDead = await dies(tried, at, when, 'first', firstOnly);
        if (isDead) kills += 1;
        // Nobody takes up what has no draft yet, before it is plain that it was left.
        const { nextAt = null, scheduledSendAt = null } = tried.only() ?? {};
        if (tried.drafts.size === 0 && nextAt) expect(Number(nextAt)).toBeGreaterThan(Number(scheduledSendAt));
        await tried.schedule('second', secondOnly);
        expectOneReply(tried);
        await tried.schedule('third', false);
        expectOneReply(tried);
      }
      expect(kills).toBeGreaterThan(4);
    });
  });

  describe.each([
    ['never asked for again', async () => undefined],
    [
      'asked for again once its mailbox is disconnected',
      async ({ disconnect, schedule }: World) => {
        disconnect();
        await schedule('second').catch(() => undefined);
      },
    ],
  ])('%s', (_how, afterwards) => {
    it.each(['before', 'after'] as const)('leaves no draft that waits for ever, killed %s each call', async (when) => {
      const ends = new Set<string | undefined>();
      for (let at = 0, isDead = true; isDead; at++) {
        const tried = world();
        isDead = await dies(tried, at, when, 'first', false);
        await afterwards(tried);
        await tried.workOff();
        for (const { scheduledStatus } of tried.drafts.values()) ends.add(scheduledStatus);
        expect(tried.only()?.nextAt ?? null).toBeNull();
      }
      expect(ends).toEqual(new Set(['canceled', 'sent']));
    });
  });

  it('stays as it was postponed where it is asked for once more', async () => {
    const { schedule, drafts, only } = world();
    await schedule('first');
    const nextAt = new Date(Number(only()?.nextAt) + 60_000);
    Object.assign(only() as SendDocument, { nextAt });
    drafts.clear();
    expect(await schedule('second')).toEqual({ draftId: 'eml_draft' });
    expect([only()?.nextAt, drafts.size]).toEqual([nextAt, 0]);
  });

  it('is no draft either where the plan has lapsed; a suspended workspace gets a draft that waits for a person', async () => {
    const lapsed = world({ standing: 'unpaid' });
    await expect(lapsed.schedule('first')).rejects.toMatchObject({ code: 'PLAN_REQUIRED' });
    expect([lapsed.drafts.size, lapsed.only()]).toEqual([0, undefined]);
    const suspended = world({ standing: 'suspended' });
    await suspended.schedule('first');
    expect([...suspended.drafts.values()]).toMatchObject([{ scheduledStatus: undefined }]);
  });

  it('goes out with the text that was written down first', async () => {
    const tried = world();
    await tried.schedule('first');
    await tried.schedule('second');
    expect([...tried.drafts.values()].map(({ raw }) => raw.includes('first'))).toEqual([true]);
  });

  it.each(['before', 'after'] as const)('is one draft where it is one too many, killed %s each call', async (when) => {
    for (let at = 0, isDead = true; isDead; at++) {
      const tried = world({ others: 4 });
      isDead = await dies(tried, at, when, 'first', false);
      await tried.schedule('second');
      expectOneReply(tried);
      expect([...tried.drafts.values()]).toMatchObject([{ scheduledStatus: undefined }]);
    }
  });

  it.each([
    [99, 'sent'],
    [100, 'canceled'],
  ])('is the next of %s that its mailbox answers within an hour: %s', async (before, status) => {
    const tried = world({ before });
    await tried.schedule('first');
    await tried.workOff();
    expect([...tried.drafts.values()]).toMatchObject([{ scheduledStatus: status }]);
  });
});
