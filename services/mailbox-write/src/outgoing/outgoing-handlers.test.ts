import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import { IngestRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { type ChangeWorld, openChangeWorld } from '../../../../test/support/change-world.ts';
import { imapMailbox as imapMailboxOf, processOf } from '../../../../test/mail/outgoing-world.ts';

let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

const process = (replaced: Partial<ChangeWorld['stores']> = {}) => processOf(world, replaced);
const imapMailbox = () => imapMailboxOf(world);

const copiesOf = (mailboxId: string) => world.collections.pendingCopies.countDocuments({ mailboxId });

it.each(['SENT', 'DRAFTS'])(
  '%s: answers with the email as it is stored, which it does not read',
  async (folderType) => {
    const { of, message, mailboxId } = await imapMailbox();
    const { storeOutgoing, answered } = process();
    const email = await storeOutgoing(message(folderType), of('opn_1'));
    expect(email).toEqual(toMessageEmail(await world.stored(email.id)));
    expect([answered, await copiesOf(mailboxId)]).toEqual([[], 1]);
  },
);

it('answers that a question waits for no reply where the reply was stored before it', async () => {
  const { of, message, mailboxId } = await imapMailbox();
  const { storeOutgoing, ingest } = process();
  const raw = Buffer.from(
    `Message-ID: <reply@acme.example>\r\nIn-Reply-To: <${mailboxId}@example.com>\r\nFrom: ann@acme.example\r\n` +
      'To: bob@example.com\r\nSubject: Plan\r\nDate: Tue, 1 Jan 2075 00:00:00 +0000\r\n\r\nYes.',
  );
  const reply = { sourceKey: 'reply', raw, folderType: 'INBOX' };
  await ingest(IngestRequest.fromPartial({ mailboxId, messages: [reply] }), of('opn_in'));
  const question = await storeOutgoing(message('SENT', 'Can you come tomorrow?'), of('opn_1'));
  expect(question).toEqual(toMessageEmail(await world.stored(question.id)));
  expect(question.waitingForReply).toBe(false);
});

it.each([
  ['its thread', undefined],
  ['another one', 'thr_other'],
])('stores an answer in the thread of its original where the caller names %s', async (_which, named) => {
  const { of, message, mailboxId } = await imapMailbox();
  const { storeOutgoing, ingest, steps } = process();
  const question = { sourceKey: 'question', raw: message('INBOX').raw, folderType: 'INBOX' };
  const { outcomes } = await ingest(IngestRequest.fromPartial({ mailboxId, messages: [question] }), of('opn_in'));
  const original = outcomes[0]?.emailId ?? '';
  const { messageId, threadId } = await world.stored(original);
  const raw = Buffer.from(
    `Message-ID: <reply@acme.example>\r\nIn-Reply-To: ${messageId}\r\nFrom: bob@example.com\r\nSubject: Plan\r\n\r\nYes.`,
  );
  steps.length = 0;
  const answered = { messageId, threadId: named ?? threadId ?? '' };
  const { id } = await storeOutgoing({ ...message('SENT'), raw, answered }, of('opn_1'));
  // Of two threads that meet, one id stays.
  expect((await world.stored(id)).threadId).toBe((await world.stored(original)).threadId);
  expect(steps.slice(0, 2)).toEqual(['link', 'find links']);
});

it('answers a repeat with the email of the first call, whatever the message is by then', async () => {
  const { of, message, mailboxId } = await imapMailbox();
  const { storeOutgoing } = process();
  const { id } = await storeOutgoing(message('DRAFTS'), of('opn_1'));
  await world.collections.emails.updateOne({ _id: id }, { $set: { folderType: 'TRASH' } });
  expect(await storeOutgoing(message('DRAFTS', 'Good day'), of('opn_1'))).toMatchObject({ id });
  expect(await world.collections.emails.countDocuments({ mailboxId })).toBe(1);
  expect(await copiesOf(mailboxId)).toBe(1);
});

it('keeps no copy at a repeat for a provider that has it already', async () => {
  const { of, message, mailboxId } = await imapMailbox();
  const { storeOutgoing } = process();
  const { id } = await storeOutgoing(message('SENT'), of('opn_1'));
  await world.collections.emails.updateOne({ _id: id }, { $unset: { 'providerChanges.append': '' } });
  await world.collections.pendingCopies.deleteMany({ mailboxId });
  expect(await storeOutgoing(message('SENT'), of('opn_1'))).toMatchObject({ id });
  expect(await copiesOf(mailboxId)).toBe(0);
});

it('stores one email when several processes are asked at once', async () => {
  const { of, message, mailboxId } = await imapMailbox();
  const processes = Array.from({ length: 6 }, () => process());
  const stored = await Promise.all(processes.map((one) => one.storeOutgoing(message('SENT'), of('opn_1'))));
  expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
  expect(await world.collections.emails.countDocuments({ mailboxId })).toBe(1);
  expect(await world.collections.bodies.countDocuments({ mailboxId })).toBe(1);
  expect(await copiesOf(mailboxId)).toBe(1);
});

it.each([false, true])('sends a draft once at repeats, where the provider has filed a copy: %s', async (hasFiled) => {
  const { of, message, mailboxId } = await imapMailbox();
  const { storeOutgoing, ingest } = process();
  const draft = await storeOutgoing(message('DRAFTS'), of('opn_draft'));
  const sent = message('SENT');
  const { raw } = sent;
  const filed = { sourceKey: 'provider:1', raw, folderType: 'SENT', providerId: 'prv_1' };
  const taken = hasFiled && (await ingest(IngestRequest.fromPartial({ mailboxId, messages: [filed] }), of('opn_in')));
  const first = await storeOutgoing({ ...sent, draftId: draft.id }, of('opn_sent'));
  const again = await storeOutgoing({ ...sent, draftId: draft.id }, of('opn_sent'));
  const id = taken ? taken.outcomes[0]?.emailId : draft.id;
  expect([first, again]).toMatchObject([
    { id, isDraft: false },
    { id, isDraft: false },
  ]);
  expect(await world.collections.emails.countDocuments({ mailboxId })).toBe(1);
});

it('shows on a draft what the newest claim of its send says, whichever process is late', async () => {
  const { of, message } = await imapMailbox();
  const { storeOutgoing, updateOutgoing } = process();
  const { id: emailId } = await storeOutgoing(message('DRAFTS'), of('opn_1'));
  const show = (scheduledStatus: string, epoch: number | undefined, sendId = 'snd_1') =>
    updateOutgoing({ emailId, scheduledStatus, scheduledSendAt: undefined, epoch }, of(sendId));
  const shown = async () => (await world.stored(emailId)).scheduledStatus;

  await show('pending', 1);
  await show('sending', 3);
  // It stood still while another process took the send up.
  await expect(show('pending', 2)).rejects.toMatchObject({ code: 'EMAIL_NOT_FOUND' });
  expect(await shown()).toBe('sending');

  await show('pending', 3);
  expect(await shown()).toBe('pending');
  await show('sending', 1, 'snd_2');
  // A person stopped it, too late.
  await expect(show('canceled', undefined)).rejects.toMatchObject({ code: 'EMAIL_NOT_FOUND' });
  expect(await shown()).toBe('sending');
  await show('pending', 1, 'snd_2');
  await show('canceled', undefined);
  expect(await shown()).toBe('canceled');
});

it('shows on a draft nothing of a claim that comes late behind the whole of another send', async () => {
  const { of, message } = await imapMailbox();
  const { storeOutgoing, updateOutgoing } = process();
  const { id: emailId } = await storeOutgoing(message('DRAFTS'), of('opn_1'));
  const show = (scheduledStatus: string | undefined, epoch: number, sendId: string) =>
    updateOutgoing({ emailId, scheduledStatus, scheduledSendAt: undefined, epoch }, of(sendId));

  await show('sending', 2, 'snd_1');
  await show(undefined, 2, 'snd_1');
  await show('sending', 1, 'snd_2');
  await show(undefined, 1, 'snd_2');
  await expect(show('sending', 1, 'snd_1')).rejects.toMatchObject({ code: 'EMAIL_NOT_FOUND' });
  expect((await world.stored(emailId)).scheduledStatus).toBeNull();

  for (let epoch = 2; epoch < 60; epoch += 1) await show('pending', epoch, 'snd_2');
  expect((await world.stored(emailId)).scheduleClaims).toHaveLength(32);
});

it('shows that a draft leaves until its send ends, whatever comes late of the reply that it was', async () => {
  const { of, message } = await imapMailbox();
  const { storeOutgoing, updateOutgoing } = process();
  const { id: emailId } = await storeOutgoing(message('DRAFTS'), of('opn_1'));
  const show = (scheduledStatus: string | undefined, epoch: number | undefined, sendId: string) =>
    updateOutgoing({ emailId, scheduledStatus, scheduledSendAt: undefined, epoch }, of(sendId));
  const shown = async () => (await world.stored(emailId)).scheduledStatus;
  const gone = { code: 'EMAIL_NOT_FOUND' };

  await show('sending', 1, 'snd_reply');
  await show('canceled', 1, 'snd_reply');
  await show(undefined, undefined, 'opn_release');
  await show('sending', 1, 'snd_draft');
  await expect(show('canceled', 2, 'snd_reply')).rejects.toMatchObject(gone);
  await expect(show(undefined, undefined, 'opn_release')).rejects.toMatchObject(gone);
  expect(await shown()).toBe('sending');

  await show(undefined, 1, 'snd_draft');
  await show('canceled', 2, 'snd_reply');
  expect(await shown()).toBe('canceled');
});
