import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChangeWorld, codeOf, type ChangeWorld } from '../../../../test/support/change-world.ts';
import { createChangeHandlers } from './change-handlers.ts';

let world: ChangeWorld;
let handlers: ReturnType<typeof createChangeHandlers>;
let pokes = 0;

beforeAll(async () => {
  world = await openChangeWorld();
  handlers = createChangeHandlers({ ...world, relay: { poke: () => (pokes += 1) } });
});
afterAll(() => world.close());

describe('marking one email', () => {
  it('answers with the changed email and owes one event for each flag that changed', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1, { isStarred: true });
    const before = pokes;
    const email = await handlers.updateEmail({ emailId, isRead: true, isStarred: true }, call);
    expect(email).toMatchObject({ id: emailId, isRead: true, isStarred: true });
    expect(await world.owedBy(emailId)).toEqual([
      { type: 'email.updated', data: { emailId, changes: { isRead: true } } },
    ]);
    expect(await world.stored(emailId)).toMatchObject({ hasOwed: true, owedToProvider: [] });
    expect(pokes).toBe(before + 1);

    await handlers.updateEmail({ emailId, isRead: false, isStarred: false }, call);
    expect((await world.owedBy(emailId)).slice(1).map(({ data }) => data.changes)).toEqual([
      { isRead: false },
      { isStarred: false },
    ]);
  });

  it('owes nothing where nothing changes', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await handlers.updateEmail({ emailId, isRead: false, isStarred: undefined }, call);
    expect(await world.stored(emailId)).toMatchObject({ hasOwed: false, owed: [] });
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
    expect((await world.stored(emailId)).owedToProvider).toEqual([
      { id: expect.any(String), kind: 'flags', isRead: true, isStarred: null, folderId: null },
      { id: expect.any(String), kind: 'move', isRead: null, isStarred: null, folderId: `${mailboxId}-trash` },
    ]);
  });

  it('never splits a call: both flags are one caller’s, however many there are', async () => {
    const { call, emails } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        handlers.updateEmail({ emailId, isRead: index % 2 === 0, isStarred: index % 2 === 0 }, call),
      ),
    );
    const { isRead, isStarred, owed } = await world.stored(emailId);
    expect(isRead).toBe(isStarred);
    for (const name of ['isRead', 'isStarred']) {
      const told = owed
        .map(({ data }) => (data.changes as Record<string, boolean>)[name])
        .filter((flag) => flag !== undefined);
      // Each event is a change, so they alternate, and the last one tells how things stand.
      expect(told).toEqual(told.map((_, index) => index % 2 === 0));
      expect(told.at(-1) ?? false).toBe(isRead);
    }
  });
});

describe('moving one email to the trash', () => {
  it('puts it into the mailbox’s trash folder, once', async () => {
    const { call, emails, mailboxId } = await world.workspace();
    const [emailId = ''] = await emails(1);
    await Promise.all(Array.from({ length: 20 }, () => handlers.deleteEmail({ emailId }, call)));
    expect(await world.stored(emailId)).toMatchObject({ folderId: `${mailboxId}-trash`, folderType: 'TRASH' });
    expect(await world.owedBy(emailId)).toEqual([{ type: 'email.deleted', data: { emailId } }]);
  });

  it('NO_TRASH_FOLDER where the mailbox has none', async () => {
    const { call, emails } = await world.workspace({ folders: [{ id: 'in', name: 'Inbox', type: 'INBOX' }] });
    const [emailId = ''] = await emails(1);
    expect(await codeOf(handlers.deleteEmail({ emailId }, call))).toBe('NO_TRASH_FOLDER');
    expect(await world.stored(emailId)).toMatchObject({ folderType: 'INBOX', owed: [] });
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
    expect(await world.owedBy(emailId)).toEqual([
      { type: 'label.applied', data: { emailId, tagId: manual, tagName: `Label ${manual}`, isAiLabel: false } },
      { type: 'label.applied', data: { emailId, tagId: clever, tagName: `Label ${clever}`, isAiLabel: true } },
    ]);
  });

  it('removes, answers with the labels left, and leaves out a label that is gone', async () => {
    const { call, emails, label } = await world.workspace();
    const [first, gone, last] = [await label(), await label({ deletedAt: new Date() }), await label()];
    const [emailId = ''] = await emails(1, { labelIds: [first, gone, last] });
    for (let time = 0; time < 2; time += 1) {
      const { labels } = await handlers.removeLabel({ emailId, labelId: first }, call);
      expect(labels).toEqual([{ id: last, name: `Label ${last}`, color: 'Red', isAiLabel: false }]);
    }
    expect((await world.stored(emailId)).owed).toEqual([]);
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
