import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomIds } from '@postroom/runtime/ids';
import { openChangeWorld, codeOf, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createChangeHandlers>;

beforeAll(async () => {
  world = await openChangeWorld();
  handlers = createChangeHandlers({ ...world, relay: { publishSoon: () => undefined } });
});
afterAll(() => world.close());

describe('500 emails at once', () => {
  it('tells updated, unchanged and skipped apart, each id once and in the order asked', async () => {
    const { call, emails } = await world.workspace();
    const [foreign = ''] = await (await world.workspace()).emails(1);
    const unread = await emails(300);
    const read = await emails(198, { isRead: true });
    const asked = [...read, foreign, ...unread, 'eml_unknown', ...unread.slice(0, 5)];
    const answer = await handlers.bulkMarkRead({ emailIds: asked, isRead: true }, call);
    expect(answer).toEqual({ updatedIds: unread, unchangedIds: read, skippedIds: [foreign, 'eml_unknown'] });
    const after = await world.collections.emails.find({ workspaceId: call.workspaceId }).lean();
    expect(after.filter(({ isRead }) => isRead)).toHaveLength(498);
    expect(after.filter(({ owedSince }) => owedSince)).toHaveLength(300);
    expect((await world.stored(foreign)).isRead).toBe(false);
  });

  it('moves to the trash what has one', async () => {
    const { call, emails } = await world.workspace();
    const mailboxId = randomIds('mbx');
    const movable = await emails(3);
    const trashed = await emails(2, { folderType: 'TRASH' });
    const stuck = await emails(2, { mailboxId });
    const answer = await handlers.bulkDelete({ emailIds: [...stuck, ...trashed, 'eml_unknown', ...movable] }, call);
    expect(answer).toEqual({ deletedIds: movable, skippedIds: [...trashed, 'eml_unknown'], noTrashIds: stuck });
  });

  it('counts only labels that were really added or removed', async () => {
    const { call, emails, label } = await world.workspace();
    const labelId = await label();
    const bare = await emails(3);
    const carrying = await emails(2, { labelIds: [labelId] });
    const emailIds = [...carrying, ...bare];
    const asked = [...emailIds, 'eml_unknown'];
    const answer = { labelId, emailIds, skippedIds: ['eml_unknown'] };
    expect(await handlers.bulkApplyLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 3 });
    expect(await handlers.bulkApplyLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 0 });
    expect(await handlers.bulkRemoveLabel({ emailIds: asked, labelId }, call)).toEqual({ ...answer, updatedCount: 5 });
    expect((await world.pendingEvents(bare[0] ?? '')).map(({ type }) => type)).toEqual([
      'label.applied',
      'label.removed',
    ]);
    expect((await world.pendingEvents(carrying[0] ?? '')).map(({ type }) => type)).toEqual(['label.removed']);
  });

  it('LABEL_NOT_FOUND and INVALID_TAG before any email is looked at', async () => {
    const { call, label } = await world.workspace();
    const clever = await label({ isAiLabel: true });
    for (const name of ['bulkApplyLabel', 'bulkRemoveLabel'] as const) {
      const change = (labelId: string) => handlers[name]({ emailIds: ['eml_unknown'], labelId }, call);
      expect(await codeOf(change('lbl_unknown'))).toBe('LABEL_NOT_FOUND');
      expect(await codeOf(change(clever))).toBe('INVALID_TAG');
    }
  });
});

describe('forgetting a label', () => {
  it('takes it off every email of this workspace, and can be repeated', async () => {
    const { call, emails, label } = await world.workspace();
    const [gone, kept] = [await label(), await label()];
    const other = await world.workspace();
    const [foreign = ''] = await other.emails(1, { labelIds: [gone] });
    const carrying = await emails(1_200, { labelIds: [kept, gone] });
    expect(await handlers.forgetLabel({ labelId: gone }, call)).toEqual({ updatedCount: 1_200 });
    expect(await handlers.forgetLabel({ labelId: gone }, call)).toEqual({ updatedCount: 0 });
    expect((await world.stored(carrying[7] ?? '')).labelIds).toEqual([kept]);
    expect((await world.stored(foreign)).labelIds).toEqual([gone]);
  });
});
