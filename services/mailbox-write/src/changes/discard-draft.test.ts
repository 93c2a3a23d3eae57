import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, type ChangeWorld, openChangeWorld } from '../../../../test/support/change-world.ts';
import { createOutgoingStore } from '../outgoing/outgoing-store.ts';
import { createChangeHandlers } from './change-handlers.ts';

const DATE = new Date('2026-03-01T12:00:00Z');
const seenDate = DATE.toISOString();

let world: ChangeWorld;
beforeAll(async () => void (world = await openChangeWorld()));
afterAll(() => world.close());

async function draft(fields: object = {}) {
  const { call, emails, mailboxId } = await world.workspace();
  const [draftId = ''] = await emails(1, { isDraft: true, folderType: 'DRAFTS', date: DATE, ...fields });
  const { discardDraft } = createChangeHandlers({ ...world, relay: { publishSoon: () => undefined } });
  const discard = (seen = seenDate) => codeOf(discardDraft({ draftId, seenDate: seen }, call));
  return { call, mailboxId, draftId, discard, stored: () => world.stored(draftId) };
}

describe('a draft that a person discards', () => {
  it('goes to the trash, and its reply does not leave any more', async () => {
    const reply = { scheduledStatus: 'pending', scheduledSendAt: new Date('2026-03-01T12:05:00Z') };
    const { discard, stored } = await draft(reply);
    expect(await discard()).toBe('no error');
    const over = { folderType: 'TRASH', scheduledStatus: 'canceled', scheduledSendAt: null };
    expect(await stored()).toMatchObject(over);
    expect(await discard()).toBe('DRAFT_NOT_FOUND');
  });

  it.each([
    ['DRAFT_NOT_FOUND', 'was sent', { isDraft: false, folderType: 'SENT' }],
    ['CONFLICT', 'is leaving', { scheduledStatus: 'sending' }],
    ['CONFLICT', 'was changed since', { date: new Date('2026-03-01T12:00:01Z') }],
  ] as const)('%s when it %s, and nothing changes', async (code, _what, fields) => {
    const { discard, stored } = await draft(fields);
    const before = await stored();
    expect(await discard()).toBe(code);
    expect(await stored()).toEqual(before);
  });

  it('does not begin to leave: nothing is sent from the trash', async () => {
    const { call, draftId, discard, stored } = await draft();
    await discard();
    const { schedule } = createOutgoingStore(world.collections);
    const sending = { scheduledStatus: 'sending', scheduledSendAt: null } as const;
    expect(await schedule(call.workspaceId, draftId, sending, undefined, call)).toBeNull();
    expect(await stored()).toMatchObject({ folderType: 'TRASH', scheduledStatus: null });
  });

  it('NO_TRASH_FOLDER when its mailbox has none', async () => {
    const { mailboxId, discard, stored } = await draft();
    await world.collections.mailboxes.updateOne({ _id: mailboxId }, { $pull: { folders: { type: 'TRASH' } } });
    expect(await discard()).toBe('NO_TRASH_FOLDER');
    expect(await stored()).toMatchObject({ folderType: 'DRAFTS' });
  });
});
