import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import { manualClock } from '@postroom/runtime/clock';
import { classify } from './classify.ts';
import { inMemory } from './in-memory.test-support.ts';

describe('an email whose rules change under way', () => {
  it('is held against the condition that stood there when it was asked about', async () => {
    const world = inMemory();
    world.onJudge = () => void (world.rules[0] = { ...world.rule(), condition: 'something else' });
    await classify(world.deps, world.asking());
    expect(world.asked).toEqual(['asks']);
    expect(world.recorded).toMatchObject([{ verdicts: [{ ruleId: 'air_1', labelId: 'lbl_1', applies: true }] }]);
  });

  it('is answered by the settings of that time, which outbound-send looks at again before it sends', async () => {
    const world = inMemory();
    world.onJudge = () => void (world.rules[0] = { ...world.rule(), autoReplyEnabled: false });
    await classify(world.deps, world.asking());
    expect(world.scheduled).toMatchObject([{ ruleId: 'air_1', draftOnly: false, delayMinutes: 5 }]);
    await classify(world.deps, world.asking());
    expect(world.scheduled.at(-1)).toMatchObject({ draftOnly: true });
  });

  it('is answered by the next rule that applies where the first is gone when its repeat comes', async () => {
    const world = inMemory();
    world.rules.push({ ...world.rule(), _id: 'air_2', labelId: 'lbl_2', condition: 'asks, too' });
    world.lastCall = 'scheduleReply';
    await expect(classify(world.deps, world.asking())).rejects.toThrow('killed');
    world.rules.shift();
    await classify(world.deps, world.asking());
    expect(world.scheduled).toMatchObject([{ ruleId: 'air_2' }]);
    // The verdicts of the first attempt are recorded; mailbox-write skips labels that were deleted.
    expect(world.recorded[0]?.verdicts.map(({ ruleId }: RuleVerdict) => ruleId)).toEqual(['air_1', 'air_2']);
  });

  it('is answered by the next rule that applies where the label of the first was deleted meanwhile', async () => {
    const world = inMemory();
    world.rules.push({ ...world.rule(), _id: 'air_2', labelId: 'lbl_2' });
    world.onJudge = () => void (world.deletedLabels = ['lbl_1']);
    await classify(world.deps, world.asking());
    expect(world.scheduled).toMatchObject([{ ruleId: 'air_2' }]);
    world.onJudge = () => void (world.deletedLabels = ['lbl_1', 'lbl_2']);
    await classify(world.deps, world.asking());
    expect([world.scheduled.length, world.recorded.length]).toEqual([1, 2]);
  });

  it('is asked about by a backfill, also where it was classified before there was that rule', async () => {
    const world = inMemory();
    world.email.classifiedAt = new Date(0);
    await classify(world.deps, world.asking({ backfillId: 'bfj_1' }));
    expect([world.asked, world.recorded.length, world.scheduled]).toEqual([['asks'], 1, []]);
  });

  it('is classified without being asked about where the last rule is gone', async () => {
    const world = inMemory();
    world.rules.length = 0;
    await classify(world.deps, world.asking());
    expect([world.asked, world.scheduled]).toEqual([[], []]);
    expect(world.recorded).toMatchObject([{ verdicts: [], model: '' }]);
  });
});

describe('an email of megabytes', () => {
  it('is in memory no more while a model is asked about it: of such there are a hundred at a time', async () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const world = inMemory();
    const { judge } = world.deps.model;
    let found: WeakRef<object> | undefined;
    let isHeld: boolean | undefined;
    const mail: typeof world.deps.mail = {
      body: async (...asked) => {
        const body = await world.deps.mail.body(...asked);
        found = new WeakRef(body);
        return body;
      },
    };
    const model: typeof world.deps.model = {
      ...world.deps.model,
      judge: async (...asked) => {
        await new Promise((resolve) => setImmediate(resolve));
        collect();
        isHeld = found?.deref() !== undefined;
        return judge(...asked);
      },
    };
    await classify({ ...world.deps, mail, model }, world.asking());
    expect(isHeld).toBe(false);
  });
});

describe('an email that a rule would answer', () => {
  it.each([
    ['its confidence is under the threshold', { autoReplyConfidenceThreshold: 91 }, true],
    ['its confidence is the threshold', { autoReplyConfidenceThreshold: 90 }, false],
    ['the rule only drafts', { autoReplyEnabled: false }, true],
  ])('goes out by itself or not where %s', async (_where, settings, draftOnly) => {
    const world = inMemory();
    world.rules[0] = { ...world.rule(), ...settings };
    await classify(world.deps, world.asking());
    expect(world.scheduled).toMatchObject([{ draftOnly, text: 'It costs ten.' }]);
  });

  it.each(['MAILBOX_INACTIVE', 'MAILBOX_NOT_FOUND', 'VALIDATION_FAILED', 'EMAIL_NOT_FOUND'] as const)(
    'is classified all the same where it cannot be answered: %s',
    async (code) => {
      const world = inMemory();
      world.refuse = new ApiError(code);
      await classify(world.deps, world.asking());
      expect(world.recorded).toHaveLength(1);
    },
  );

  it('waits where outbound-send is unavailable, and is classified later', async () => {
    const world = inMemory();
    world.refuse = new ApiError('INTERNAL_ERROR');
    await expect(classify(world.deps, world.asking())).rejects.toThrow();
    expect(world.recorded).toEqual([]);
    world.refuse = undefined;
    await classify(world.deps, world.asking());
    expect([world.scheduled.length, world.recorded.length]).toEqual([1, 1]);
  });

  it('costs one verdict and one text, however often outbound-send is unavailable', async () => {
    const world = inMemory();
    world.refuse = new ApiError('INTERNAL_ERROR');
    for (const isRepeat of [false, true, true])
      await expect(classify(world.deps, world.asking({ isRepeat }))).rejects.toThrow();
    world.refuse = undefined;
    world.reply = 'Something else.';
    world.rules[0] = { ...world.rule(), updatedAt: new Date(1) };
    await classify(world.deps, world.asking({ isRepeat: true }));
    expect([world.asked, world.written]).toEqual([['asks'], 1]);
    // outbound-send holds the reply of a condition that has changed since.
    expect(world.scheduled).toMatchObject([{ ruleUpdatedAt: new Date(0).toISOString() }]);
    expect(world.scheduled).toMatchObject([{ ruleId: 'air_1', text: 'It costs ten.' }]);
    expect(world.recorded).toMatchObject([{ areKept: true, verdicts: [{ ruleId: 'air_1', applies: true }] }]);
  });

  it('is asked for a text once where the model has none', async () => {
    const world = inMemory();
    world.reply = undefined;
    world.lastCall = 'recordClassification';
    await expect(classify(world.deps, world.asking())).rejects.toThrow('killed');
    world.reply = 'After all.';
    await classify(world.deps, world.asking({ isRepeat: true }));
    expect([world.written, world.scheduled, world.recorded.length]).toEqual([1, [], 1]);
  });

  it('is not answered where it is in the trash, where a model has nothing to say, and by a backfill', async () => {
    const [trashed, speechless, backfill] = [inMemory(), inMemory(), inMemory()];
    trashed.email.folderType = 'TRASH';
    speechless.reply = undefined;
    await classify(trashed.deps, trashed.asking());
    await classify(speechless.deps, speechless.asking());
    await classify(backfill.deps, backfill.asking({ backfillId: 'bfj_1' }));
    for (const { scheduled, recorded } of [trashed, speechless, backfill]) {
      expect([scheduled.length, recorded.length]).toEqual([0, 1]);
    }
  });

  it('is recorded by one call where no rule that answers applies', async () => {
    const world = inMemory();
    world.applies = false;
    await classify(world.deps, world.asking());
    expect([world.calls, world.scheduled]).toEqual([['recordClassification'], []]);
    expect(world.recorded).toMatchObject([{ verdicts: [{ applies: false }] }]);
  });

  it('is answered by the verdicts that were kept before a crash, where the model finds none the next time', async () => {
    const world = inMemory();
    world.lastCall = 'scheduleReply';
    await expect(classify(world.deps, world.asking())).rejects.toThrow('killed');
    world.applies = false;
    await classify(world.deps, world.asking());
    expect(world.scheduled).toMatchObject([{ ruleId: 'air_1' }]);
    expect(world.recorded).toMatchObject([{ verdicts: [{ ruleId: 'air_1', applies: true }] }]);
  });

  it('is asked about once more after a crash, under the same operation', async () => {
    const world = inMemory({ clock: manualClock() });
    world.lastCall = 'recordClassification';
    await expect(classify(world.deps, world.asking())).rejects.toThrow('killed');
    await classify(world.deps, world.asking());
    expect(world.asked).toHaveLength(2);
    expect(world.operations).toEqual(['reply:eml_1', 'reply:eml_1']);
  });
});
