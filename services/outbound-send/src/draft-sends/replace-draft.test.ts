import { expect, it } from '@jest/globals';
import { dying } from '../../../../test/support/interleavings.ts';
import { draftWorld as world, endOf } from '../../../../test/support/draft-work.ts';

it('the repeat of an edit has the answer of the first call, once its draft is replaced', async () => {
  const { calm, kept, draft } = await world();
  const first = await calm.edit();
  expect([await calm.edit(), await calm.edit()]).toEqual([first, first]);
  expect([kept.length, draft.folderType]).toEqual([1, 'TRASH']);
  expect(await endOf(calm.edit('Another text.'))).toBe('DRAFT_NOT_FOUND');
});

it.each([true, false])(
  'an edit that dies at any call is finished by its repeat: one replacement (a reply that is due: %s)',
  async (isReply) => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; ; deadly += 1) {
        const { process, calm, kept, draft, delivered, workAllOff } = await world({ isReply });
        const { at, isDead } = dying(deadly, when);
        await endOf(process(at).edit());
        const answers = [await calm.edit(), await calm.edit()];
        await workAllOff();
        const told = [deadly, when, answers, kept.length, draft.folderType, delivered.length];
        expect(told).toEqual([deadly, when, [{ draftId: 'eml_new_1' }, { draftId: 'eml_new_1' }], 1, 'TRASH', 0]);
        if (!isDead()) break;
      }
    }
  },
);

it('the repeat of an edit that died at any call is refused where the reply has left meanwhile', async () => {
  const ends = new Set<string>();
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { process, calm, draft, delivered, workAllOff } = await world();
      const { at, isDead } = dying(deadly, when);
      await endOf(process(at).edit());
      await calm.timer();
      const answers = [await endOf(calm.edit()), await endOf(calm.edit())];
      await workAllOff();
      const isDone = answers.map((answer) => answer === 'done');
      const isEdited = draft.folderType === 'TRASH';
      const told = [deadly, when, answers, isDone, delivered.length];
      expect(told).toEqual([deadly, when, answers, [isEdited, isEdited], isEdited ? 0 : 1]);
      answers.forEach((answer) => ends.add(answer));
      if (!isDead()) break;
    }
  }
  expect([...ends].toSorted()).toEqual(['CONFLICT', 'DRAFT_NOT_FOUND', 'done']);
});
