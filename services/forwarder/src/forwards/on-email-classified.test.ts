import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { EventOf } from '@postroom/events/event';
import { createOnEmailClassified } from './on-email-classified.ts';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import type { RunRulesDeps } from './run-rules.ts';

type Answer = { status: string; reason?: string };

const email = {
  _id: 'eml_1',
  senderAddress: 'ann@far.example',
  subject: 'Invoice 7',
  folderType: 'INBOX',
  isAutomatic: false,
};
const ruleOf = (id: string, parts: object = {}) => ({
  _id: id,
  workspaceId: 'wsp_1',
  conditionField: 'subject_contains',
  conditionValue: 'invoice',
  forwardTo: `${id}@books.example`,
  mode: 'normal',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...parts,
});
const event = {
  id: 'evt_1',
  type: 'email.classified',
  workspaceId: 'wsp_1',
  occurredAt: new Date(0),
  data: { emailId: 'eml_1', mailboxId: 'mbx_1', labelIds: ['lbl_1'] },
} as EventOf<'email.classified'>;

/** Everything around the forwarder, and what it did there, in its order. */
function world({
  rules = [ruleOf('one')],
  found = email as object | null,
  labels = [] as string[],
  compared = {},
  age = 60_000,
} = {}) {
  const done: string[] = [];
  const reads: string[] = [];
  const read = <T>(name: string, answer: T) => (reads.push(name), answer);
  const isTold = Object.keys(compared).length > 0;
  const told = { ...event, data: { ...event.data, ...(isTold && { compared }) } } as typeof event;
  const logged = new Map<string, Answer & { attempts: number }>();
  let answer: (ruleId: string) => Promise<Answer> = async () => ({ status: 'queued' });
  const skipped: unknown[] = [];
  const deps = {
    mail: {
      activeRules: async () => rules,
      email: async () => read('email', found),
      aiLabelNames: async () => read('labels', labels),
      isLogged: async (_workspaceId: string, ruleId: string) => read('log', logged.has(ruleId)),
    },
    outboundSend: {
      forwardEmail: async ({ ruleId }: { ruleId: string }, { operationId }: { operationId: string }) => {
        done.push(`ask ${operationId}`);
        // Time enough for another rule to come before.
        await new Promise((resolve) => setTimeout(resolve, 1));
        const said = await answer(ruleId);
        done.push(`${ruleId} ${said.status}`);
        return said;
      },
    },
    labelRule: {
      recordForward: async ({ ruleId, ...line }: Answer & { ruleId: string; attempts: number }) => {
        logged.set(ruleId, line);
        done.push(`log ${ruleId} ${line.status}`);
        return {};
      },
    },
    attempts: {
      attempt: async (_workspaceId: string, _id: string, work: () => Promise<void>) => {
        reads.push('attempt');
        await work();
      },
    },
    skipped: { add: (count: number, labels: object) => skipped.push({ count, ...labels }) },
  } as unknown as RunRulesDeps;
  return {
    done,
    logged,
    reads,
    handle: () => createOnEmailClassified(deps, createRecentIds(10), { now: () => age })(told, { replays: 0 }),
    answers: (next: typeof answer) => void (answer = next),
    skipped,
  };
}

describe('an email that was classified', () => {
  it('goes by no rule that was made behind it, however late its event comes', async () => {
    const { done, handle } = world({
      rules: [
        ruleOf('later', { createdAt: new Date(60_000) }),
        ruleOf('changed', { updatedAt: new Date(60_000) }),
        ruleOf('by another clock', { createdAt: new Date(3_000) }),
      ],
    });
    await handle();
    expect(done.filter((what) => what.startsWith('ask'))).toEqual([
      'ask forward:changed:eml_1',
      'ask forward:by another clock:eml_1',
    ]);
  });

  it('goes by every rule that applies, one after the other in their order, under an operation of email and rule', async () => {
    const rules = [ruleOf('one'), ruleOf('other', { conditionValue: 'lunch' }), ruleOf('two')];
    const { handle, done } = world({ rules });
    await handle();
    expect(done).toEqual(['ask forward:one:eml_1', 'one queued', 'ask forward:two:eml_1', 'two queued']);
  });

  it('is not forwarded again by a rule that has its line, and is by one that has none yet', async () => {
    const rules = [ruleOf('one'), ruleOf('two')];
    const { handle, done, answers, logged } = world({ rules });
    answers(async (ruleId) => ({ status: ruleId === 'one' ? 'skipped' : 'queued', reason: 'its own' }));
    await handle();
    done.length = 0;
    await handle();
    expect(done).toEqual(['ask forward:two:eml_1', 'two queued']);
    expect([...logged.keys()]).toEqual(['one']);
  });

  it.each(['TRASH', 'SPAM', 'SENT'])('stays here where it is in %s by now', async (folderType) => {
    const { handle, done } = world({ found: { ...email, folderType } });
    await handle();
    expect(done).toEqual([]);
  });

  it('stays here where it is gone', async () => {
    const { handle, done } = world({ found: null });
    await handle();
    expect(done).toEqual([]);
  });

  it('is held against its AI labels alone where a rule names a label', async () => {
    const rules = [ruleOf('one', { conditionField: 'label', conditionValue: 'bills' })];
    const without = world({ rules });
    const under = world({ rules, labels: ['Bills'] });
    await without.handle();
    await under.handle();
    expect([without.done.length, under.done.length]).toEqual([0, 2]);
  });

  it.each([
    ['no rule applies', { sender: 'x@far.example', subject: 'Lunch', labelNames: ['Bills'] }, [], 0],
    ['its sender applies', { sender: 'ann@far.example', subject: 'x', labelNames: [] }, ['attempt', 'email', 'log'], 2],
    [
      'its label applies',
      { sender: 'x', subject: 'x', labelNames: ['paper'] },
      ['attempt', 'email', 'labels', 'log'],
      2,
    ],
    [
      'its sender applies and no machine sent it',
      { sender: 'ann@far.example', subject: 'x', labelNames: [], isAutomatic: false },
      ['attempt', 'log'],
      2,
    ],
  ])('costs only what it needs where its event tells that %s', async (_which, compared, needed, steps) => {
    const by = (conditionField: string, conditionValue: string) => ruleOf('one', { conditionField, conditionValue });
    const rules = [by('sender_equals', 'ann@far.example'), by('subject_contains', 'invoice'), by('label', 'Paper')];
    const { handle, reads, done } = world({ rules, compared, labels: ['Paper'] });
    await handle();
    expect([reads, done.length]).toEqual([needed, steps]);
  });

  it('costs neither its labels nor the log within ten seconds, and is asked for under the same operation when it comes twice', async () => {
    const rules = [ruleOf('one', { conditionField: 'label', conditionValue: 'paper' })];
    const compared = { sender: 'x', subject: 'x', labelNames: ['Paper'], isAutomatic: false };
    const { handle, reads, done } = world({ rules, compared, age: 9_999 });
    await handle();
    await handle();
    expect(reads).toEqual(['attempt', 'attempt']);
    expect(done.filter((what) => what.startsWith('ask'))).toEqual(Array(2).fill('ask forward:one:eml_1'));
    const later = world({ rules, compared, age: 10_000, labels: ['Paper'] });
    await later.handle();
    expect(later.reads).toEqual(['attempt', 'labels', 'log']);
  });

  it('stays here where the label that its event tells of is off by now', async () => {
    const rules = [ruleOf('one', { conditionField: 'label', conditionValue: 'bills' })];
    const { handle, done } = world({ rules, compared: { sender: 'x', subject: 'x', labelNames: ['Bills'] } });
    await handle();
    expect(done).toEqual([]);
  });

  it.each([
    [
      'a machine sent it',
      { isAutomatic: true },
      'automatic mail, list mail and bounces are not forwarded',
      'automatic',
    ],
    [
      'it came from there, however the rule writes it',
      { senderAddress: 'one@books.example' },
      'it came from there',
      'sender',
    ],
  ])('is skipped where %s, which the log says and nobody is asked', async (_why, parts, reason, label) => {
    const rules = [ruleOf('one', { forwardTo: 'One@Books.example' })];
    const { handle, done, logged, skipped } = world({ rules, found: { ...email, ...parts } });
    await handle();
    expect(done).toEqual(['log one skipped']);
    expect(logged.get('one')).toMatchObject({ status: 'skipped', reason, attempts: 0 });
    expect(skipped).toEqual([{ count: 1, reason: label }]);
  });

  it('is skipped without being read where its event tells that a machine sent it', async () => {
    const compared = { sender: 'ann@far.example', subject: 'Invoice 7', labelNames: [], isAutomatic: true };
    const { handle, done, reads, skipped } = world({ compared });
    await handle();
    expect([done, reads, skipped]).toEqual([
      ['log one skipped'],
      ['attempt', 'log'],
      [{ count: 1, reason: 'automatic' }],
    ]);
  });

  it('stays here, and has no line in the log, where outbound-send says that it has left the inbox', async () => {
    const compared = { sender: 'ann@far.example', subject: 'Invoice 7', labelNames: [], isAutomatic: false };
    const { handle, answers, done, logged } = world({ compared });
    answers(async () => ({ status: 'left' }));
    await handle();
    expect([done, logged.size]).toEqual([['ask forward:one:eml_1', 'one left'], 0]);
  });

  it('is skipped where outbound-send says that it would come back, and its reason is in the log', async () => {
    const { handle, answers, logged, skipped } = world();
    answers(async () => ({ status: 'skipped', reason: 'the address is its own' }));
    await handle();
    expect(logged.get('one')).toMatchObject({ status: 'skipped', reason: 'the address is its own' });
    expect(skipped).toEqual([{ count: 1, reason: 'own' }]);
  });

  it.each(['MAILBOX_INACTIVE', 'MAILBOX_NOT_FOUND', 'EMAIL_NOT_FOUND', 'VALIDATION_FAILED'] as const)(
    'has failed for good where it is refused with %s, and the rules after that one go on',
    async (code) => {
      const { handle, answers, done, logged } = world({ rules: [ruleOf('one'), ruleOf('two')] });
      answers(async (ruleId) => {
        if (ruleId === 'one') throw new ApiError(code, { message: 'no more' });
        return { status: 'queued' };
      });
      await handle();
      expect(logged.get('one')).toMatchObject({ status: 'failed', reason: 'no more', attempts: 0 });
      expect(done.at(-1)).toBe('two queued');
    },
  );

  it('is tried again after anything else, and says nothing of it in the log', async () => {
    const { handle, answers, logged } = world();
    answers(async () => Promise.reject(new ApiError('INTERNAL_ERROR')));
    await expect(handle()).rejects.toThrow();
    expect(logged.size).toBe(0);
  });
});
