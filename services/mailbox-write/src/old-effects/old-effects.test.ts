import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EFFECT_KEPT_MS } from '@postroom/mail-store/kept-for';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createOldEffectStore } from './old-effect-store.ts';
import { forgetOldEffects } from './old-effects.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await openTestDatabase()), 60_000);
afterAll(() => database.close());

const NOW = Date.UTC(2026, 5, 1);
const OLD = new Date(NOW - EFFECT_KEPT_MS - 1);
const RECENT = new Date(NOW - EFFECT_KEPT_MS);
const effect = (id: string, at: Date) => {
  return { id, labelId: 'lbl_1', ruleId: 'air_1', model: 'm', confidence: 90, reason: 'so', isBackfill: false, at };
};

it('the record of an effect is deleted after 90 days with that of its undo, and labels and newer records stay', async () => {
  const { emails } = database.collections;
  const email = (_id: string, workspaceId: string, parts: object) =>
    emails.create([{ ...emailDocument({ _id, workspaceId }), ...parts }]);
  const undone = (effectId: string, at: Date) => ({ effectId, by: 'per_1', at });
  await email('eml_1', 'wsp_1', {
    labelIds: ['lbl_1'],
    ruleLabelIds: ['lbl_1'],
    labelEffects: [effect('old', OLD), effect('recent', RECENT)],
    undoneEffects: [undone('old', OLD), undone('recent', RECENT)],
  });
  await email('eml_2', 'wsp_2', { labelIds: ['lbl_1'], labelEffects: [effect('old', OLD)] });
  await email('eml_3', 'wsp_2', {});
  const deps = {
    oldEffects: createOldEffectStore(database.collections),
    context: { clock: manualClock(NOW), log: silentLog },
  };
  await forgetOldEffects(deps);
  const stored = await emails.find({}).sort({ _id: 1 }).lean();
  expect(stored.map(({ labelEffects }) => (labelEffects ?? []).map(({ id }) => id))).toEqual([['recent'], [], []]);
  expect(stored.map(({ undoneEffects }) => (undoneEffects ?? []).length)).toEqual([1, 0, 0]);
  expect(stored.map(({ labelIds }) => labelIds)).toEqual([['lbl_1'], ['lbl_1'], []]);
  expect(stored[0]?.ruleLabelIds).toEqual(['lbl_1']);
});
