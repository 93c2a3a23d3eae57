import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import type { OutboxEntry } from '@postroom/events/outbox/outbox-store';
import { openChangeWorld, codeOf, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createChangeHandlers>;
let told: OutboxEntry[] = [];

beforeAll(async () => {
  world = await openChangeWorld();
  handlers = createChangeHandlers({ ...world, relay: { publishSoon: (written) => (told = [...told, ...written]) } });
});
afterAll(() => world.close());

describe('marking one email', () => {
  it('answers with the changed email and stores one event for each flag that changed', async () => {
    const { call, emails, mailboxId } = await world.workspace();
    const [emailId = ''] = await emails(1, { isStarred: true });
    told = [];
    const email = await handlers.updateEmail({ emailId, isRead: true, isStarred: true }, call);
    expect(email).toMatchObject({ id: emailId, isRead: true, isStarred: true });
    expect(await world.pendingEvents(emailId)).toEqual([
      { type: 'email.updated', data: { emailId, changes: { isRead: true } } },
    ]);
    expect(await world.stored(emailId)).toMatchObject({ owedSince: expect.any(Date), providerChanges: {} });
    expect(told).toMatchObject([{ ownerId: emailId, events: { isRead: { type: 'email.updated', key: mailboxId } } }]);

    await handlers.updateEmail({ emailId, isRead: false, isStarred: false }, call);
    expect((await world.pendingEvents(emailId)).map(({ data }) => data.changes)).toEqual([
      { isRead: false },
      { isStarred: false },
    ]);
  });

  it('stores no event where nothing changes', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await handlers.updateEmail({ emailId, isRead: false, isStarred: undefined }, call);
    const stored = await world.stored(emailId);
    expect(stored.outbox).toEqual({});
    expect(stored.owedSince).toBeUndefined();
  });

  it('NOT_FOUND for an unknown email and for a foreign one alike', async () => {
    const { call } = await world.workspace();
    const [foreign = ''] = await (await world.workspace()).emails(1);
    for (const emailId of [foreign, 'eml_unknown']) {
      expect(await codeOf(handlers.updateEmail({ emailId, isRead: true, isStarred: undefined }, call))).toBe(
        'NOT_FOUND',
      );
      expect(await codeOf(handlers.deleteEmail({ emailId }, call))).toBe('NOT_FOUND');
    }
  });

  it('tells the provider of a mailbox behind IMAP in the same write', async () => {
    const { call, emails, mailboxId } = await world.workspace({ provider: 'imap' });
    const [emailId = ''] = await emails(1);
    await handlers.updateEmail({ emailId, isRead: true, isStarred: undefined }, call);
    await handlers.deleteEmail({ emailId }, call);
    const { providerChanges, providerChangesSince } = await world.stored(emailId);
    expect(providerChanges).toEqual({
      isRead: { id: expect.any(String), to: true, at: expect.any(Date) },
      folderId: { id: expect.any(String), to: `${mailboxId}-trash`, at: expect.any(Date) },
    });
    expect(providerChangesSince).toEqual(expect.any(Date));
  });

  it('never splits a call: both flags are one caller’s, however many there are', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        handlers.updateEmail({ emailId, isRead: index % 2 === 0, isStarred: index % 2 === 0 }, call),
      ),
    );
    const { isRead, isStarred } = await world.stored(emailId);
    expect(isRead).toBe(isStarred);
    const pending = (await world.pendingEvents(emailId)).map(({ data }) => data.changes);
    expect(pending).toEqual([{ isRead }, { isStarred }]);
  });
});

describe('an email that changes again and again while nobody publishes', () => {
  it('keeps the latest change of each flag, for the bus and for the provider, and does not grow', async () => {
    const { call, emails, label } = await world.workspace({ provider: 'imap' });
    const [[emailId = ''], labelId] = [await emails(1), await label()];
    const change = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const flag = time % 2 === 0;
        await handlers.updateEmail({ emailId, isRead: flag, isStarred: flag }, call);
        await handlers[flag ? 'applyLabel' : 'removeLabel']({ emailId, labelId }, call);
      }
      return mongo.BSON.calculateObjectSize(await world.stored(emailId));
    };
    const small = await change(2);
    expect(await change(60)).toBe(small);
    expect((await world.pendingEvents(emailId)).map(({ data }) => data.changes ?? data.tagId)).toEqual([
      { isRead: false },
      { isStarred: false },
      labelId,
      labelId,
    ]);
  });
});

describe('moving one email to the trash', () => {
  it('puts it into the mailbox’s trash folder, once', async () => {
    const { call, emails, mailboxId } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await Promise.all(Array.from({ length: 20 }, () => handlers.deleteEmail({ emailId }, call)));
    expect(await world.stored(emailId)).toMatchObject({ folderId: `${mailboxId}-trash`, folderType: 'TRASH' });
    expect(await world.pendingEvents(emailId)).toEqual([{ type: 'email.deleted', data: { emailId } }]);
  });

  it('NO_TRASH_FOLDER where the mailbox has none', async () => {
    const { call, emails } = await world.workspace({ folders: [{ id: 'in', name: 'Inbox', type: 'INBOX' }] });
    const [emailId = ''] = await emails(1);
    expect(await codeOf(handlers.deleteEmail({ emailId }, call))).toBe('NO_TRASH_FOLDER');
    expect(await world.stored(emailId)).toMatchObject({ folderType: 'INBOX', outbox: {} });
  });
});

describe('labels on one email', () => {
  it('applies once and announces once, AI labels too', async () => {
    const { call, emails, label } = await world.workspace();
    const [emailId = ''] = await emails(1);
    const [manual, clever] = [await label(), await label({ isAiLabel: true })];
    await Promise.all(Array.from({ length: 20 }, () => handlers.applyLabel({ emailId, labelId: manual }, call)));
    const { labels } = await handlers.applyLabel({ emailId, labelId: clever }, call);
    expect(labels.map(({ id }) => id)).toEqual([manual, clever]);
    const pending = await world.pendingEvents(emailId);
    expect(pending).toHaveLength(2);
    expect(pending).toEqual(
      expect.arrayContaining([
        { type: 'label.applied', data: { emailId, tagId: manual, tagName: `Label ${manual}`, isAiLabel: false } },
        { type: 'label.applied', data: { emailId, tagId: clever, tagName: `Label ${clever}`, isAiLabel: true } },
      ]),
    );
  });

  it('removes, answers with the labels left, and leaves out a label that is gone', async () => {
    const { call, emails, label } = await world.workspace();
    const [first, gone, last] = [await label(), await label({ deletedAt: new Date() }), await label()];
    const [emailId = ''] = await emails(1, { labelIds: [first, gone, last] });
    for (let time = 0; time < 2; time += 1) {
      const { labels } = await handlers.removeLabel({ emailId, labelId: first }, call);
      expect(labels).toEqual([{ id: last, name: `Label ${last}`, color: 'Red', isAiLabel: false }]);
    }
    expect(await world.pendingEvents(emailId)).toMatchObject([
      { type: 'label.removed', data: { emailId, tagId: first } },
    ]);
  });

  it('that were deleted are not told of any more, whoever has been waiting to say that they were applied', async () => {
    const { call, emails, label } = await world.workspace();
    const [[emailId = ''], labelId, other] = [await emails(1), await label(), await label()];
    for (const id of [labelId, other]) await handlers.applyLabel({ emailId, labelId: id }, call);
    await handlers.forgetLabel({ labelId }, call);
    expect((await world.pendingEvents(emailId)).map(({ type, data }) => [type, data.tagId])).toEqual([
      ['label.applied', other],
      ['label.removed', labelId],
    ]);
  });

  it('EMAIL_NOT_FOUND before LABEL_NOT_FOUND, foreign like unknown, a deleted label like none', async () => {
    const { call, emails, label } = await world.workspace();
    const other = await world.workspace();
    const [emailId = ''] = await emails(1);
    const [foreignEmail = ''] = await other.emails(1);
    const labelId = await label();
    const lost = [await other.label(), await label({ deletedAt: new Date() }), 'lbl_unknown'];
    for (const name of ['applyLabel', 'removeLabel'] as const) {
      const change = (request: { emailId: string; labelId: string }) => handlers[name](request, call);
      for (const email of [foreignEmail, 'eml_unknown']) {
        expect(await codeOf(change({ emailId: email, labelId }))).toBe('EMAIL_NOT_FOUND');
        expect(await codeOf(change({ emailId: email, labelId: 'lbl_unknown' }))).toBe('EMAIL_NOT_FOUND');
      }
      for (const id of lost) expect(await codeOf(change({ emailId, labelId: id }))).toBe('LABEL_NOT_FOUND');
    }
  });
});
