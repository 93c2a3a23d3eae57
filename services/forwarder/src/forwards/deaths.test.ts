import { describe, expect, it } from '@jest/globals';
import { createCountedAttempts, EndedItsProcess, type AttemptsStore } from '@postroom/events/counted-attempts';
import type { EventOf } from '@postroom/events/event';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { manualClock, systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { createOnEmailClassified } from './on-email-classified.ts';
import type { RunRulesDeps } from './run-rules.ts';
import { sweepForwards } from './sweep.ts';

const DEATHS = 5;
const rule = {
  _id: 'afr_1',
  workspaceId: 'wsp_1',
  conditionField: 'subject_contains',
  conditionValue: 'invoice',
  forwardTo: 'books@far.example',
  mode: 'normal',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const event = {
  id: 'evt_1',
  type: 'email.classified',
  workspaceId: 'wsp_1',
  occurredAt: new Date(0),
  data: { emailId: 'eml_1', mailboxId: 'mbx_1', labelIds: [] },
} as EventOf<'email.classified'>;

const email = {
  _id: 'eml_1',
  senderAddress: 'ann@far.example',
  subject: 'Invoice 7',
  folderType: 'INBOX',
  isAutomatic: false,
} as const;

/** An email, and the count of its attempts, which outlives every forwarder. */
function world() {
  const counts = new Map<string, number>();
  const add = (id: string, by: number) => (counts.set(id, (counts.get(id) ?? 0) + by), counts.get(id) ?? 0);
  const store: AttemptsStore = {
    begin: async (_workspaceId, id) => add(id, 1),
    takeBack: async (_workspaceId, id) => void add(id, -1),
    end: async (_workspaceId, id) => void counts.delete(id),
  };
  const calls: string[] = [];
  /** A forwarder that ends in the call of this name: it never answers. */
  const forwarder = (deadly?: string) => {
    const at = async <T>(name: string, answer: T): Promise<T> => {
      calls.push(name);
      return name === deadly ? new Promise<never>(() => undefined) : answer;
    };
    const forwards = {
      attempts: createCountedAttempts(store, silentLog),
      mail: {
        activeRules: async () => [rule, { ...rule, _id: 'afr_2', conditionField: 'label', conditionValue: 'bills' }],
        email: () => at('email', email),
        aiLabelNames: () => at('aiLabelNames', []),
        isLogged: () => at('isLogged', false),
      },
      outboundSend: { forwardEmail: () => at('forwardEmail', { status: 'skipped', reason: 'own' }) },
      labelRule: { recordForward: () => at('recordForward', {}) },
      skipped: { add: () => undefined },
    } as unknown as RunRulesDeps;
    const handle = createOnEmailClassified(forwards, createRecentIds(10), systemClock);
    return { forwards, handle: (replays = 0) => handle(event, { replays }) };
  };
  return { calls, forwarder };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

async function killed(how: string) {
  const one = world();
  for (let deaths = 0; deaths < DEATHS; deaths += 1) {
    void one.forwarder(how).handle();
    await soon();
  }
  expect(one.calls.filter((name) => name === how)).toHaveLength(DEATHS);
  one.calls.length = 0;
  return one;
}

describe.each(['email', 'aiLabelNames', 'isLogged', 'forwardEmail', 'recordForward'])(
  'an email that ends five forwarders in %s',
  (how) => {
    it('is not touched any more: its event is a dead letter at once', async () => {
      const { forwarder, calls } = await killed(how);
      await expect(forwarder().handle()).rejects.toThrow(EndedItsProcess);
      expect(calls).toEqual([]);
    });
  },
);

it('an email that ended five forwarders is not touched by the sweep either', async () => {
  const { forwarder, calls } = await killed('email');
  const clock = manualClock();
  const classifiedAt = new Date(clock.now() - 60_000);
  const sweep = sweepForwards({
    forwards: forwarder().forwards,
    store: {
      everyWorkspacesActiveRules: async () => [rule as unknown as AutoForwardRuleDocument],
      everyWorkspacesClassified: async (_workspaceIds, { createdAt }) =>
        createdAt < classifiedAt ? [{ _id: 'eml_1', workspaceId: 'wsp_1', createdAt: classifiedAt, verdicts: [] }] : [],
      everyWorkspacesEmails: async () => [{ ...email, workspaceId: 'wsp_1' }],
      everyWorkspacesAiLabels: async () => [],
      everyWorkspacesLogged: async () => new Set(),
    },
    recent: createRecentIds(10),
    clock,
    log: silentLog,
  });
  await clock.advance(20_000);
  await sweep.close();
  expect(calls).toEqual([]);
});

it('an email that ended five forwarders has new attempts when its dead letter is replayed', async () => {
  const { forwarder, calls } = await killed('email');
  await forwarder().handle(1);
  expect(calls).toContain('recordForward');
});
