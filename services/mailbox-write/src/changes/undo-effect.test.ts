import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EFFECT_KEPT_MS } from '@postroom/mail-store/kept-for';
import { outgoingKey, replyOperation } from '@postroom/mail-store/outgoing-key';
import { openChangeWorld, codeOf, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { type AtCall, dying, interleave, ordersOfTwo, watched } from '../../../../test/support/interleavings.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
beforeAll(async () => void (world = await openChangeWorld()));
afterAll(() => world.close());

const calm: AtCall = (_, call) => call();

/** The handlers of a process; each call of its stores goes through `at`. */
function processOf(at: AtCall) {
  const { changes, effects, bulk } = world.stores;
  const own = { changes: watched(changes, at), effects: watched(effects, at), bulk: watched(bulk, at) };
  const stores = { ...world.stores, ...own };
  return createChangeHandlers({ ...world, stores, relay: { publishSoon: () => undefined } });
}

/** An email that a rule has labeled, and whose reply the rule has prepared. */
async function affected() {
  const { call, emails, label, mailboxId } = await world.workspace();
  const labelId = await label({ isAiLabel: true });
  const [emailId = ''] = await emails(1);
  const [draftId = ''] = await emails(1, {
    sourceKey: outgoingKey(replyOperation(emailId)),
    isDraft: true,
    folderType: 'DRAFTS',
    scheduledStatus: 'pending',
    scheduledSendAt: new Date('2026-01-01T00:00:00Z'),
  });
  const verdict = { ruleId: 'air_1', labelId, applies: true, confidence: 90, reason: 'it says so' };
  const version = { ruleUpdatedAt: '2026-01-02T00:00:00.000Z' };
  const said = { model: 'small', inputTokens: 1, outputTokens: 1, durationMs: 1 };
  const classify = (isBackfill = false) =>
    processOf(calm).recordClassification(
      { emailId, verdicts: [{ ...verdict, ...version }], isBackfill, ...said },
      call,
    );
  await classify();
  const effectsOf = async () => (await world.stored(emailId)).labelEffects ?? [];
  const effectId = (await effectsOf())[0]?.id ?? '';
  const undo = (handlers: ReturnType<typeof processOf>, id = effectId) =>
    handlers.undoEffect({ actorId: 'per_1', emailId, effectId: id }, call);
  return { call, mailboxId, emailId, labelId, draftId, effectId, effectsOf, classify, undo };
}

const wordsOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'done',
    (error: Error) => error.message,
  );
const REMOVED = 'A person removed the label since, so there is nothing to undo.';

describe('the label of a rule', () => {
  it('is written with its effect: the cause, and the version of the rule', async () => {
    const { effectsOf, effectId, labelId, emailId } = await affected();
    expect(await effectsOf()).toEqual([
      {
        id: effectId,
        labelId,
        ruleId: 'air_1',
        ruleUpdatedAt: new Date('2026-01-02T00:00:00Z'),
        model: 'small',
        confidence: 90,
        reason: 'it says so',
        isBackfill: false,
        at: expect.any(Date),
      },
    ]);
    expect(await world.stored(emailId)).toMatchObject({ labelIds: [labelId], ruleLabelIds: [labelId] });
  });

  it('is no effect where a person had applied it before', async () => {
    const { call, emails, label } = await world.workspace();
    const labelId = await label({ isAiLabel: true });
    const [emailId = ''] = await emails(1, { labelIds: [labelId] });
    const verdict = { ruleId: 'air_1', labelId, applies: true, confidence: 90, reason: '' };
    const said = { model: 'small', inputTokens: 1, outputTokens: 1, durationMs: 1 };
    await processOf(calm).recordClassification({ emailId, verdicts: [verdict], isBackfill: false, ...said }, call);
    const stored = await world.stored(emailId);
    expect([stored.labelIds, stored.labelEffects, stored.ruleLabelIds]).toEqual([[labelId], undefined, undefined]);
  });

  it('is taken off by an undo with its event, once', async () => {
    const { undo, emailId, effectId } = await affected();
    await undo(processOf(calm));
    await undo(processOf(calm));
    expect(await world.stored(emailId)).toMatchObject({
      labelIds: [],
      ruleLabelIds: [],
      undoneEffects: [{ effectId, by: 'per_1' }],
    });
    const types = (await world.pendingEvents(emailId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'label.removed')).toHaveLength(1);
  });

  it('stays where a backfill has applied it again after a person removed it: the older effect is over', async () => {
    const { undo, call, emailId, labelId, classify, effectsOf } = await affected();
    const handlers = processOf(calm);
    await handlers.removeLabel({ emailId, labelId }, call);
    await classify(true);
    const [, newer] = await effectsOf();
    expect(newer).toMatchObject({ labelId, isBackfill: true });
    expect(await wordsOf(undo(handlers))).toBe(REMOVED);
    await undo(handlers, newer?.id);
    expect((await world.stored(emailId)).labelIds).toEqual([]);
  });

  it('404 NOT_FOUND for an effect that is older than 90 days', async () => {
    const { undo, emailId, labelId } = await affected();
    const old = new Date(world.context.clock.now() - EFFECT_KEPT_MS - 1);
    await world.collections.emails.updateOne({ _id: emailId }, { $set: { 'labelEffects.0.at': old } });
    expect(await codeOf(undo(processOf(calm)))).toBe('NOT_FOUND');
    expect((await world.stored(emailId)).labelIds).toEqual([labelId]);
  });
});

/** Of the orders; all of them with POSTROOM_FULL=1. */
const EVERY = process.env['POSTROOM_FULL'] === '1' ? 1 : 7;

/** The state before an undo and the one after it, as far as the undo changes it. */
const stateOf = async ({ emailId, draftId }: { emailId: string; draftId: string }) => {
  const [email, draft] = [await world.stored(emailId), await world.stored(draftId)];
  const { labelIds, ruleLabelIds, undoneEffects, outbox } = email;
  const { folderType, folderId, scheduledStatus, scheduledSendAt } = draft;
  const events = Object.keys(outbox ?? {}).filter((name) => name.startsWith('removed:'));
  const dates = { undone: undoneEffects?.length ?? 0, undoneDraft: draft.undoneEffects?.length ?? 0 };
  return {
    label: { labelIds, ruleLabelIds, events, undone: dates.undone },
    draft: { folderType, folderId, scheduledStatus, scheduledSendAt, undone: dates.undoneDraft },
  };
};

describe.each(['label', 'draft'] as const)('an undo of a %s', (kind) => {
  const begun = async () => {
    const here = await affected();
    return { ...here, id: kind === 'label' ? here.effectId : here.draftId };
  };

  it('that dies at any call of its stores leaves the state before or after, and a repeat finishes it', async () => {
    const ends = new Set<string>();
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; ; deadly += 1) {
        const { undo, id, ...here } = await begun();
        const before = (await stateOf(here))[kind];
        const { at, isDead } = dying(deadly, when);
        await undo(processOf(at), id).catch(() => undefined);
        const found = (await stateOf(here))[kind];
        await undo(processOf(calm), id);
        const after = (await stateOf(here))[kind];
        expect(after.undone).toBe(1);
        expect([before, after]).toContainEqual(found);
        ends.add(JSON.stringify(found) === JSON.stringify(after) ? 'after' : 'before');
        if (!isDead()) break;
      }
    }
    expect([...ends].toSorted()).toEqual(['after', 'before']);
  });

  it('beside a person who changes the same: the state is that of one of them, and who is told that it was done is right', async () => {
    const play = async (schedule: (n: number) => number) => {
      const { undo, id, call, emailId, labelId, draftId } = await begun();
      const ends: string[] = [];
      const people = async (at: AtCall) => {
        const handlers = processOf(at);
        if (kind === 'draft') await handlers.bulkDelete({ emailIds: [draftId] }, call);
        else {
          await handlers.removeLabel({ emailId, labelId }, call);
          await handlers.applyLabel({ emailId, labelId }, call);
        }
      };
      const calls = await interleave(
        [async (at) => void (ends[0] = await wordsOf(undo(processOf(at), id))), people],
        schedule,
      );
      const stored = await world.stored(kind === 'label' ? emailId : draftId);
      return { calls, end: ends[0], stored };
    };
    const { calls } = await play((n) => n % 2);
    for (const [n, schedule] of [...ordersOfTwo(calls)].entries()) {
      if (n % EVERY !== 0) continue;
      const { end, stored } = await play(schedule);
      const isMarked = (stored.undoneEffects ?? []).length === 1;
      expect([end, isMarked]).toEqual([end, end === 'done']);
      // The person applied the label last, and it stays.
      if (kind === 'label') expect(stored.labelIds).toHaveLength(1);
      else expect(stored.folderType).toBe('TRASH');
    }
  });
});

it('an undo of a reply beside the sender that begins it: in every order exactly one of both is done', async () => {
  const play = async (schedule: (n: number) => number) => {
    const { undo, call, draftId } = await affected();
    let told = '';
    let isBegun = false;
    const sender = async (at: AtCall) => {
      const { schedule: show } = watched({ schedule: world.stores.outgoing.schedule }, at);
      const sending = { scheduledStatus: 'sending', scheduledSendAt: new Date(0) } as const;
      isBegun = (await show(call.workspaceId, draftId, sending, undefined, call)) !== null;
    };
    const calls = await interleave(
      [async (at) => void (told = await wordsOf(undo(processOf(at), draftId))), sender],
      schedule,
    );
    const { folderType, scheduledStatus } = await world.stored(draftId);
    return { calls, told, isBegun, state: [folderType, scheduledStatus] };
  };
  const { calls } = await play((n) => n % 2);
  for (const schedule of ordersOfTwo(calls)) {
    const { told, isBegun, state } = await play(schedule);
    expect([told === 'done', state]).toEqual([!isBegun, isBegun ? ['DRAFTS', 'sending'] : ['TRASH', 'canceled']]);
  }
});

it.each(['sending', 'canceled', 'sent'] as const)(
  '409 CONFLICT for the draft of a reply that is %s',
  async (scheduledStatus) => {
    const { undo, draftId } = await affected();
    await world.collections.emails.updateOne({ _id: draftId }, { $set: { scheduledStatus } });
    expect(await codeOf(undo(processOf(calm), draftId))).toBe('CONFLICT');
    expect((await world.stored(draftId)).folderType).toBe('DRAFTS');
  },
);

it('409 NO_TRASH_FOLDER for a draft of a mailbox without a trash, and nothing of it changes', async () => {
  const { undo, draftId, mailboxId } = await affected();
  await world.collections.mailboxes.updateOne({ _id: mailboxId }, { $set: { folders: [] } });
  expect(await codeOf(undo(processOf(calm), draftId))).toBe('NO_TRASH_FOLDER');
  expect(await world.stored(draftId)).toMatchObject({ folderType: 'DRAFTS', scheduledStatus: 'pending' });
});
