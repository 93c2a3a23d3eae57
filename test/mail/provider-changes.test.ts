import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bounds } from '@postroom/contract/bounds';
import { codeOf } from '../support/change-world.ts';
import { type MailboxAtProvider, type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** An email in the inbox, at its provider and here. */
async function oneEmail() {
  const mailbox = await world.mailbox();
  const [stored] = await mailbox.arrive({ uid: 1 });
  const emailId = stored?.emailId ?? '';
  await mailbox.publish();
  const email = async () => (await mailbox.emails()).find(({ _id }) => _id === emailId);
  return { mailbox, emailId, email };
}

async function pendingEvents(mailbox: MailboxAtProvider, emailId: string) {
  const email = (await mailbox.emails()).find(({ _id }) => _id === emailId);
  return email?.providerChanges ?? {};
}

describe('changes of another client', () => {
  it('shows: read, starred, unread again; each is told once', async () => {
    const { mailbox, email } = await oneEmail();
    expect(await mailbox.state('inbox', { uid: 1, isRead: true, isStarred: true })).toMatchObject({ changed: 1 });
    expect(await mailbox.state('inbox', { uid: 1, isRead: true, isStarred: true })).toMatchObject({ changed: 0 });
    expect(await email()).toMatchObject({ isRead: true, isStarred: true, providerChanges: {} });
    expect((await mailbox.shown())[0]?.events).toEqual(['email.updated', 'email.updated']);
    await mailbox.state('inbox', { uid: 1, isStarred: true });
    expect(await email()).toMatchObject({ isRead: false, isStarred: true });
  });

  it('trashes: the email is in the trash and told of as deleted', async () => {
    const { mailbox, emailId } = await oneEmail();
    await mailbox.gone('inbox', 1);
    await mailbox.arrive({ folder: 'trash', uid: 4 });
    expect(await mailbox.shown()).toEqual([{ id: emailId, folder: 'trash', uid: 4, events: ['email.deleted'] }]);
  });

  it('labels: the labels of the provider are those it says', async () => {
    const { mailbox, email } = await oneEmail();
    await mailbox.state('inbox', { uid: 1, labels: ['Work'], folderId: 'archive' });
    expect(await email()).toMatchObject({ providerLabels: ['Work'], folderId: 'archive', folderType: 'OTHER' });
  });

  it('labels: at most so many are kept, whether they come with flags or with the message', async () => {
    const labels = Array.from({ length: 2_000 }, (_, n) => `${n} ${'x'.repeat(1_000)}`);
    const { mailbox, email } = await oneEmail();
    await mailbox.state('inbox', { uid: 1, labels });
    await mailbox.arrive({ uid: 2, messageId: '<two@sender.example>', providerLabels: labels });
    const sizes = (await mailbox.emails()).map(({ providerLabels }) => JSON.stringify(providerLabels).length);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(bounds.providerLabels.bytes);
    expect((await email())?.providerLabels[0]).toBe(labels[0]?.slice(0, bounds.providerLabels.length));
  });

  it('labels: an email of an earlier version that has more is shown with as many', async () => {
    const { mailbox, emailId } = await oneEmail();
    const providerLabels = Array.from({ length: 2_000 }, (_, n) => `${n} ${'x'.repeat(1_000)}`);
    await world.collections.emails.updateOne({ _id: emailId }, { $set: { providerLabels } });
    const { labels } = await mailbox.update(emailId, { isRead: true });
    expect(JSON.stringify(labels).length).toBeLessThanOrEqual(bounds.providerLabels.bytes);
  });

  it('answers how many emails are missing for the first time, until a later pass has missed them again', async () => {
    const { mailbox } = await oneEmail();
    expect(await mailbox.listed('inbox', [])).toMatchObject({ suspected: 1, gone: 0 });
    expect(await mailbox.listed('inbox', [])).toMatchObject({ suspected: 1, gone: 0 });
    await mailbox.finishPasses(1);
    expect(await mailbox.listed('inbox', [])).toMatchObject({ suspected: 0, gone: 1 });
    expect(await mailbox.listed('inbox', [])).toMatchObject({ suspected: 0, gone: 0 });
  });

  it('answers which of the named UIDs nobody knows', async () => {
    const { mailbox } = await oneEmail();
    expect((await mailbox.state('inbox', { uid: 9 })).unknownUids).toEqual([{ first: 9, last: 9 }]);
    expect((await mailbox.listed('inbox', [1, 2, 3, 7])).unknownUids).toEqual([
      { first: 2, last: 3 },
      { first: 7, last: 7 },
    ]);
  });
});

describe('a change made here and not yet at the provider', () => {
  it('stays, whatever the provider says meanwhile, and is pending no longer when it says the same', async () => {
    const { mailbox, emailId, email } = await oneEmail();
    await mailbox.update(emailId, { isRead: true });
    await mailbox.state('inbox', { uid: 1, isRead: false, isStarred: true });
    expect(await email()).toMatchObject({ isRead: true, isStarred: true });
    expect(Object.keys(await pendingEvents(mailbox, emailId))).toEqual(['isRead']);
    await mailbox.state('inbox', { uid: 1, isRead: true, isStarred: true });
    expect(await pendingEvents(mailbox, emailId)).toEqual({});
    expect((await email())?.providerChangesSince).toBeUndefined();
  });

  it('is not undone by what was seen before the provider confirmed it, and by what was seen after', async () => {
    const { mailbox, emailId, email } = await oneEmail();
    await mailbox.update(emailId, { isRead: true });
    const { isRead } = await pendingEvents(mailbox, emailId);
    await mailbox.complete([{ emailId, changeIds: [isRead?.id ?? ''], at: ago(1_000) }]);
    await mailbox.state('inbox', { uid: 1, isRead: false }, { at: ago(2_000) });
    expect(await email()).toMatchObject({ isRead: true, providerChanges: {} });
    await mailbox.state('inbox', { uid: 1, isRead: false });
    expect(await email()).toMatchObject({ isRead: false });
  });

  it('that was asked for again since is still pending after the first was confirmed', async () => {
    const { mailbox, emailId } = await oneEmail();
    await mailbox.update(emailId, { isRead: true });
    const first = await pendingEvents(mailbox, emailId);
    await mailbox.update(emailId, { isRead: false });
    await mailbox.complete([{ emailId, changeIds: [first.isRead?.id ?? ''] }]);
    expect(await pendingEvents(mailbox, emailId)).toMatchObject({ isRead: { to: false } });
  });

  it('that the provider refuses is undone, and told', async () => {
    const { mailbox, emailId, email } = await oneEmail();
    await mailbox.update(emailId, { isRead: true });
    await mailbox.trash(emailId);
    await mailbox.publish();
    const { isRead, folderId } = await pendingEvents(mailbox, emailId);
    await mailbox.complete([{ emailId, changeIds: [isRead?.id ?? '', folderId?.id ?? ''], refused: 'NO' }]);
    expect(await email()).toMatchObject({ isRead: false, folderId: 'inbox', folderType: 'INBOX', providerChanges: {} });
    expect((await mailbox.shown())[0]?.events).toEqual(['email.updated', 'email.moved']);
  });
});

describe('an email that is starred here while another client moves it by COPY and EXPUNGE', () => {
  it.each([
    ['before its copy is seen', ['star', 'gone', 'arrive']],
    ['after its copy is seen', ['arrive', 'star', 'gone']],
    ['after its copy is seen, which is later than the star', ['star', 'arrive', 'gone']],
  ] as const)('keeps the star, pending for its provider again, when it is gone %s', async (_, order) => {
    const { mailbox, emailId, email } = await oneEmail();
    const steps = {
      star: async () => {
        await mailbox.update(emailId, { isStarred: true });
        const { isStarred } = await pendingEvents(mailbox, emailId);
        await mailbox.complete([{ emailId, changeIds: [isStarred?.id ?? ''] }]);
      },
      arrive: () => mailbox.arrive({ folder: 'archive', uid: 7 }),
      gone: () => mailbox.gone('inbox', 1),
    };
    for (const step of order) await steps[step]();
    await mailbox.finishPasses(3);
    expect(await email()).toMatchObject({ isStarred: true, folderId: 'archive' });
    expect(await pendingEvents(mailbox, emailId)).toMatchObject({ isStarred: { to: true } });
    expect(await mailbox.emails()).toHaveLength(1);
  });
});

describe('an email trashed here', () => {
  it('is where the provider has moved it', async () => {
    const { mailbox, emailId, email } = await oneEmail();
    await mailbox.trash(emailId);
    const { folderId } = await pendingEvents(mailbox, emailId);
    const location = { folderId: 'trash', uidValidity: 1, uid: 3 };
    await mailbox.complete([{ emailId, changeIds: [folderId?.id ?? ''], location }]);
    const [known] = await mailbox.arrive({ folder: 'trash', uid: 3 });
    expect(known).toMatchObject({ outcome: 'known', emailId });
    expect(await email()).toMatchObject({ place: location, folderId: 'trash', providerChanges: {} });
  });

  it('is found again where the provider did not say where it went', async () => {
    const { mailbox, emailId, email } = await oneEmail();
    await mailbox.trash(emailId);
    const { folderId } = await pendingEvents(mailbox, emailId);
    await mailbox.complete([{ emailId, changeIds: [folderId?.id ?? ''] }]);
    await mailbox.arrive({ folder: 'trash', uid: 3 });
    await mailbox.finishPasses(3);
    expect(await email()).toMatchObject({ place: { folderId: 'trash', uid: 3 }, folderId: 'trash' });
  });

  it('stays one email when its copy is seen before its move was confirmed, and the rest of the move is pending', async () => {
    const { mailbox, emailId } = await oneEmail();
    await mailbox.trash(emailId);
    const [known] = await mailbox.arrive({ folder: 'trash', uid: 3 });
    expect(known).toMatchObject({ outcome: 'known', emailId });
    expect(await pendingEvents(mailbox, emailId)).toMatchObject({ remove: { to: { folderId: 'inbox', uid: 1 } } });
    expect(await mailbox.emails()).toHaveLength(1);
  });
});

describe('a process that does not hold the mailbox any more', () => {
  it('409 CONFLICT, and nothing is changed', async () => {
    const { mailbox, emailId } = await oneEmail();
    await mailbox.takeOver(2);
    expect(await codeOf(mailbox.gone('inbox', 1))).toBe('CONFLICT');
    expect(await codeOf(mailbox.state('inbox', { uid: 1, isRead: true }))).toBe('CONFLICT');
    expect(await codeOf(mailbox.complete([{ emailId, changeIds: [] }]))).toBe('CONFLICT');
    expect(await codeOf(mailbox.forget('inbox', 2))).toBe('CONFLICT');
    expect(await codeOf(mailbox.finishPasses(1))).toBe('CONFLICT');
    expect(await codeOf(mailbox.arriveUnder(1, { uid: 2, messageId: '<two@sender.example>' }))).toBe('CONFLICT');
    expect(await mailbox.shown()).toEqual([{ id: emailId, folder: 'inbox', uid: 1, events: [] }]);
  });
});

describe('an email that a listing misses', () => {
  it('is not gone before it was missing twice', async () => {
    const { mailbox, email } = await oneEmail();
    await mailbox.listed('inbox', []);
    await mailbox.listed('inbox', []);
    await mailbox.finishPasses(3);
    expect(await email()).toMatchObject({ gone: { isSure: false } });
    await mailbox.listed('inbox', []);
    expect(await email()).toMatchObject({ gone: { isSure: true } });
    await mailbox.finishPasses(2);
    expect(await mailbox.emails()).toEqual([]);
  });

  it('and turns up in the next one was never gone', async () => {
    const { mailbox, email } = await oneEmail();
    await mailbox.listed('inbox', []);
    await mailbox.finishPasses(1);
    await mailbox.listed('inbox', [1]);
    expect((await email())?.gone).toBeUndefined();
  });
});

describe('a folder whose UIDs are counted anew', () => {
  const raws = ['a', 'b', 'c'].map((name) => ({ name, messageId: `<${name}@sender.example>` }));

  it('keeps its emails, in whatever order they come back, and loses those that do not', async () => {
    const mailbox = await world.mailbox();
    const ids: Record<string, string> = {};
    for (const [index, { name, messageId }] of raws.entries()) {
      const [stored] = await mailbox.arrive({ uid: index + 1, messageId });
      ids[name] = stored?.emailId ?? '';
    }
    await mailbox.publish();
    expect(await mailbox.forget('inbox', 2)).toEqual({ forgotten: 3 });
    await mailbox.finishPasses(3);
    expect(await mailbox.emails()).toHaveLength(3);
    await mailbox.arrive({ uid: 1, uidValidity: 2, messageId: '<c@sender.example>' });
    await mailbox.arrive({ uid: 2, uidValidity: 2, messageId: '<a@sender.example>' });
    expect((await mailbox.listed('inbox', [1, 2], { uidValidity: 2 })).gone).toBe(1);
    await mailbox.finishPasses(2);
    expect((await mailbox.shown()).map(({ id, uid, events }) => [id, uid, events])).toEqual([
      [ids.a, 2, []],
      [ids.c, 1, []],
    ]);
  });

  it.each([
    ['a message of it could not be stored', 2],
    ['it has an earlier UIDVALIDITY again', 1],
  ])('loses those that do not come back also where %s', async (_, uidValidity) => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ uid: 1, messageId: '<a@sender.example>' });
    await mailbox.arrive({ uid: 2, messageId: '<b@sender.example>' });
    await mailbox.publish();
    await mailbox.forget('inbox', 2);
    if (uidValidity !== 2) await mailbox.forget('inbox', uidValidity);
    await mailbox.listed('inbox', [1, 9], { uidValidity, isTakenIn: false });
    await mailbox.finishPasses(3);
    expect(await mailbox.emails()).toHaveLength(2);
    await mailbox.arrive({ uid: 1, uidValidity, messageId: '<a@sender.example>' });
    await mailbox.listed('inbox', [1, 9], { uidValidity });
    await mailbox.finishPasses(2);
    expect((await mailbox.shown()).map(({ id }) => id)).toEqual([first?.emailId]);
  });

  it('may have the old name again, where it means other messages', async () => {
    const mailbox = await world.mailbox();
    const [first] = await mailbox.arrive({ uid: 1, messageId: '<a@sender.example>' });
    await mailbox.forget('inbox', 2);
    await mailbox.forget('inbox', 1);
    const [other] = await mailbox.arrive({ uid: 1, messageId: '<b@sender.example>' });
    await mailbox.arrive({ uid: 2, messageId: '<a@sender.example>' });
    expect(other?.outcome).toBe('stored');
    expect((await mailbox.shown()).map(({ id, uid }) => [id, uid])).toEqual([
      [first?.emailId, 2],
      [other?.emailId, 1],
    ]);
  });
});
