import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawMessage } from '../support/message.ts';
import { type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;

beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const own = { from: 'Bob <bob@example.com>', to: 'Ann <ann@sender.example>', messageId: '<ours@example.com>' };
const copiesOf = async (mailboxId: string) =>
  (await world.collections.pendingCopies.find({ mailboxId }).lean<{ _id: string; raw: unknown }[]>()).map(
    ({ _id }) => _id,
  );

async function sentOne() {
  const mailbox = await world.mailbox();
  const sent = await mailbox.make({ ...own, folderType: 'SENT' });
  const pending = async () => (await mailbox.emails())[0]?.providerChanges ?? {};
  return { mailbox, emailId: sent.id, pending, copies: () => copiesOf(mailbox.mailbox._id) };
}

describe('mail sent from here', () => {
  it('waits for the folder of sent mail of its provider, with its bytes, until it is there', async () => {
    const { mailbox, emailId, pending, copies } = await sentOne();
    const { append } = await pending();
    expect(append).toMatchObject({ to: 'sent' });
    expect(await copies()).toEqual([append?.id]);
    const location = { folderId: 'sent', uidValidity: 1, uid: 5 };
    await mailbox.complete([{ emailId, changeIds: [append?.id ?? ''], location }]);
    expect([await pending(), await copies()]).toEqual([{}, []]);
    const [known] = await mailbox.arrive({ folder: 'sent', uid: 5, ...own });
    expect(known).toMatchObject({ outcome: 'known', emailId });
    expect(await mailbox.shown()).toMatchObject([{ id: emailId, folder: 'sent', uid: 5 }]);
  });

  it('does not wait for a provider that files it itself: its copy is that email', async () => {
    const { mailbox, emailId, pending, copies } = await sentOne();
    const [known] = await mailbox.arrive({ folder: 'sent', uid: 9, ...own, text: 'as the provider filed it' });
    expect(known).toMatchObject({ outcome: 'known', emailId });
    expect([await pending(), await copies()]).toEqual([{}, []]);
    expect(await mailbox.shown()).toMatchObject([{ id: emailId, folder: 'sent', uid: 9 }]);
  });

  it('stands there once, where its provider files it after it got our copy', async () => {
    const { mailbox, emailId, pending } = await sentOne();
    const location = { folderId: 'sent', uidValidity: 1, uid: 5 };
    await mailbox.complete([{ emailId, changeIds: [(await pending()).append?.id ?? ''], location }]);
    await mailbox.arrive({ folder: 'sent', uid: 6, ...own, text: 'as the provider filed it' });
    expect(await mailbox.emails()).toHaveLength(1);
    expect(await pending()).toMatchObject({ remove: { to: { folderId: 'sent', uid: 6 } } });
  });

  it('is its copy under another Message-ID, too, where the server that sends it gives it one', async () => {
    const headers = { 'X-Postroom-Operation': 'snd_1' };
    const renamed = rawMessage({ ...own, messageId: '<renamed@relay.example>', headers }).raw;
    const mailbox = await world.mailbox();
    const { id } = await mailbox.make({ ...own, headers, folderType: 'SENT' });
    expect(await mailbox.arrive({ folder: 'sent', uid: 9, raw: renamed })).toMatchObject([{ emailId: id }]);
    expect(await mailbox.shown()).toMatchObject([{ id, folder: 'sent', uid: 9 }]);
    expect(await copiesOf(mailbox.mailbox._id)).toEqual([]);
    const other = rawMessage({ ...own, messageId: '<other@relay.example>', headers: {} }).raw;
    await mailbox.arrive({ folder: 'sent', uid: 10, raw: other });
    expect(await mailbox.emails()).toHaveLength(2);
  });

  it.each(['after', 'before'] as const)(
    'has in its thread who answers it under that other Message-ID, %s the copy',
    async (when) => {
      const headers = { 'X-Postroom-Operation': 'snd_1' };
      const mailbox = await world.mailbox();
      const { id } = await mailbox.make({ ...own, headers, folderType: 'SENT' });
      const raw = rawMessage({ ...own, messageId: '<renamed@relay.example>', headers }).raw;
      const answer = rawMessage({
        from: own.to,
        to: own.from,
        messageId: '<answer@sender.example>',
        headers: { 'In-Reply-To': '<renamed@relay.example>', References: '<renamed@relay.example>' },
      }).raw;
      const acts = [
        () => mailbox.arrive({ folder: 'sent', uid: 9, raw }),
        () => mailbox.arrive({ uid: 1, raw: answer }),
      ];
      for (const act of when === 'after' ? acts : acts.toReversed()) await act();
      const emails = await mailbox.emails();
      expect(emails.map(({ folderId }) => folderId).toSorted()).toEqual(['inbox', 'sent']);
      const threads = new Set(emails.map(({ threadId }) => threadId));
      expect([threads.size, [...threads][0]]).toEqual([1, emails.find(({ _id }) => _id === id)?.threadId]);
    },
  );

  it('is the copy that was there before it was stored here, under another Message-ID, too', async () => {
    const headers = { 'X-Postroom-Operation': 'snd_1' };
    const mailbox = await world.mailbox();
    const raw = rawMessage({ ...own, messageId: '<renamed@relay.example>', headers }).raw;
    const [copy] = await mailbox.arrive({ folder: 'sent', uid: 9, raw });
    for (let time = 0; time < 2; time += 1) {
      const { id } = await mailbox.make({
        ...own,
        headers,
        folderType: 'SENT',
        announcesDraftSent: true,
        operationId: 'once',
      });
      expect(id).toBe(copy?.emailId);
    }
    expect(await mailbox.shown()).toMatchObject([{ folder: 'sent', uid: 9, events: ['email.created', 'draft.sent'] }]);
    expect(await copiesOf(mailbox.mailbox._id)).toEqual([]);
  });

  it('does not wait in a mailbox without a provider', async () => {
    const mailbox = await world.mailbox({ provider: 'development' });
    await mailbox.make({ ...own, folderType: 'SENT' });
    expect((await mailbox.emails())[0]?.providerChanges).toEqual({});
    expect(await copiesOf(mailbox.mailbox._id)).toEqual([]);
  });
});

describe('a draft made here', () => {
  async function oneDraft() {
    const mailbox = await world.mailbox();
    const draft = await mailbox.make({ ...own, folderType: 'DRAFTS' });
    const email = async () => (await mailbox.emails()).find(({ _id }) => _id === draft.id);
    return { mailbox, draftId: draft.id, email };
  }

  it('waits for the drafts of its provider', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    expect((await email())?.providerChanges).toMatchObject({ append: { to: 'drafts' } });
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    expect(await mailbox.shown()).toMatchObject([{ id: draftId, folder: 'drafts', uid: 2 }]);
    expect((await email())?.providerChanges).toEqual({});
  });

  it('follows who edits it elsewhere, and the older version is not a draft of its own', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await mailbox.arrive({ folder: 'drafts', uid: 3, ...own, subject: 'Edited', text: 'other words' });
    const [older] = await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await mailbox.gone('drafts', 2);
    await mailbox.finishPasses(3);
    expect(older).toMatchObject({ outcome: 'known', emailId: draftId });
    expect(await mailbox.emails()).toHaveLength(1);
    expect(await email()).toMatchObject({
      subject: 'Edited',
      place: { uid: 3 },
      isDraft: true,
      draft: { source: 'api' },
    });
    expect((await email())?.rendered).toContain('"subject":"Edited"');
    expect(await mailbox.bodyOf(draftId)).toContain('other words');
  });

  it('that was going to leave by itself does not once somebody edits it elsewhere', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    const pending = { scheduledStatus: 'pending', scheduledSendAt: new Date() } as const;
    await world.collections.emails.updateOne({ _id: draftId }, { $set: pending });
    // As its provider has filed our own copy.
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own, text: 'in other lines' });
    expect(await email()).toMatchObject({ scheduledStatus: 'pending' });
    await mailbox.arrive({ folder: 'drafts', uid: 3, ...own, text: 'other words' });
    expect(await email()).toMatchObject({ isDraft: true, scheduledStatus: 'canceled', scheduledSendAt: null });
  });

  it('that is deleted elsewhere is gone', async () => {
    const { mailbox } = await oneDraft();
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await mailbox.publish();
    await mailbox.gone('drafts', 2);
    await mailbox.finishPasses(2);
    expect(await mailbox.emails()).toEqual([]);
  });

  it('that is sent elsewhere becomes the sent email', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await mailbox.gone('drafts', 2);
    await mailbox.arrive({ folder: 'sent', uid: 8, ...own, subject: 'Sent elsewhere' });
    await mailbox.finishPasses(3);
    expect(await email()).toMatchObject({ isDraft: false, folderType: 'SENT', subject: 'Sent elsewhere', draft: null });
    expect((await mailbox.shown()).map(({ id }) => id)).toEqual([draftId]);
  });

  it('that is sent from here leaves the drafts of its provider for its sent mail', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await mailbox.make({ ...own, folderType: 'SENT', draftId });
    expect((await email())?.providerChanges).toMatchObject({
      append: { to: 'sent' },
      remove: { to: { folderId: 'drafts', uid: 2 } },
    });
    expect(await copiesOf(mailbox.mailbox._id)).toEqual([(await email())?.providerChanges.append?.id]);
    const [known] = await mailbox.arrive({ folder: 'sent', uid: 7, ...own });
    expect(known).toMatchObject({ outcome: 'known', emailId: draftId });
    expect((await email())?.providerChanges).toMatchObject({ remove: { to: { uid: 2 } } });
  });

  it('that is sent from here is told of once, where its provider had filed it before we said so', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    await mailbox.arrive({ folder: 'sent', uid: 7, ...own });
    const operationId = 'opn_once';
    for (let time = 0; time < 2; time += 1)
      await mailbox.make({ ...own, folderType: 'SENT', draftId, announcesDraftSent: true, operationId });
    expect((await mailbox.shown()).map(({ id, uid }) => [id, uid])).toEqual([[draftId, 7]]);
    expect(Object.keys((await email())?.outbox ?? {})).toContain('sent');
    await mailbox.publish();
    await mailbox.make({ ...own, folderType: 'SENT', draftId, announcesDraftSent: true, operationId });
    expect((await email())?.outbox).toEqual({});
  });

  it('is removed at its provider when its copy arrives there after it was sent', async () => {
    const { mailbox, draftId, email } = await oneDraft();
    const first = (await email())?.providerChanges.append?.id ?? '';
    await mailbox.make({ ...own, folderType: 'SENT', draftId });
    const location = { folderId: 'drafts', uidValidity: 1, uid: 2 };
    await mailbox.complete([{ emailId: draftId, changeIds: [first], location }]);
    expect((await email())?.providerChanges).toMatchObject({ append: { to: 'sent' }, remove: { to: location } });
    const [known] = await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    expect(known).toMatchObject({ outcome: 'known', emailId: draftId });
    expect(await mailbox.emails()).toHaveLength(1);
  });

  it('that its provider has filed as sent before it was told is removed, its copy too', async () => {
    const { mailbox, draftId } = await oneDraft();
    await mailbox.arrive({ folder: 'drafts', uid: 2, ...own });
    await world.collections.emails.updateOne({ _id: draftId }, { $set: { messageId: '<draft@example.com>' } });
    const [copy] = await mailbox.arrive({ folder: 'sent', uid: 7, ...own });
    await mailbox.make({ ...own, folderType: 'SENT', draftId });
    expect((await mailbox.emails()).map(({ _id, providerChanges }) => [_id, providerChanges.remove?.to.uid])).toEqual([
      [copy?.emailId, 2],
    ]);
  });
});

describe('a report that is made here', () => {
  const report = { from: 'MAILER-DAEMON@example.com', to: 'bob@example.com', messageId: '<report@example.com>' };

  it('waits for the inbox of its provider, unread, and its copy is that email, however soon it is seen', async () => {
    const mailbox = await world.mailbox();
    const { id, isRead } = await mailbox.make({ ...report, folderType: 'INBOX' });
    expect([isRead, (await mailbox.emails())[0]?.providerChanges.append]).toMatchObject([false, { to: 'inbox' }]);
    const [seen] = await mailbox.arrive({ folder: 'inbox', uid: 7, ...report });
    expect(seen).toMatchObject({ outcome: 'known', emailId: id });
    expect(await mailbox.shown()).toMatchObject([{ id, folder: 'inbox', uid: 7 }]);
    expect([(await mailbox.emails())[0]?.providerChanges, await copiesOf(mailbox.mailbox._id)]).toEqual([{}, []]);
  });

  it('is there once when it is asked for again', async () => {
    const mailbox = await world.mailbox();
    const twice = { ...report, folderType: 'INBOX', operationId: 'rpt_1' } as const;
    const [first, again] = [await mailbox.make(twice), await mailbox.make(twice)];
    expect([again.id, await mailbox.emails()]).toMatchObject([first.id, [{ _id: first.id }]]);
  });
});
