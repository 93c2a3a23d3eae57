import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { AtCall } from '../support/interleavings.ts';
import type { MailProcess } from './mail-process.ts';
import { type MailboxAtProvider, type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

type Act = (mailbox: MailboxAtProvider, process: MailProcess) => Promise<unknown>;
const other = { uid: 2, messageId: '<other@sender.example>' };
const copy = { uid: 7, folder: 'archive' } as const;

/** Another process acquires the mailbox, and stores its view of the provider. */
async function takeOver(mailbox: MailboxAtProvider): Promise<void> {
  await mailbox.takeOver(2);
  await mailbox.state('inbox', { uid: 1, isStarred: true }, { epoch: 2 });
  await mailbox.arriveUnder(2, other);
  await mailbox.arriveUnder(2, copy);
}

/** Whether the holder from before was refused; it stands still at the n-th call of its stores until then. */
async function playPausedAt(pausedAt: number, act: Act) {
  const mailbox = await world.mailbox();
  await mailbox.arrive({ uid: 1 });
  let calls = 0;
  let written: EmailDocument[] = [];
  const at: AtCall = async (_, call) => {
    calls += 1;
    if (calls === pausedAt) {
      await takeOver(mailbox);
      written = await mailbox.emails();
    }
    return call();
  };
  const end = await act(mailbox, mailbox.process(at)).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
  return { isOver: calls < pausedAt, end, written, now: await mailbox.emails() };
}

/** The email without `isUnsettled`, because any process may finish its thread. */
const asStored = ({ isUnsettled: _isUnsettled, ...email }: EmailDocument) => email;

describe('a holder that stands still while another takes its mailbox over writes nothing when it goes on', () => {
  it.each<[string, Act]>([
    ['taking in a message', (mailbox, process) => mailbox.arriveUnder(1, other, process)],
    ['taking in a known message', (mailbox, process) => mailbox.arriveUnder(1, { uid: 1, isRead: true }, process)],
    ['finding it elsewhere', (mailbox, process) => mailbox.arriveUnder(1, copy, process)],
    ['marking', (mailbox, process) => mailbox.state('inbox', { uid: 1, isRead: true }, { process })],
    ['losing it', (mailbox, process) => mailbox.gone('inbox', 1, process)],
  ])('%s', async (_, act) => {
    const ends = new Set<string | undefined>();
    for (let pausedAt = 1; ; pausedAt += 1) {
      const { isOver, end, written, now } = await playPausedAt(pausedAt, act);
      if (isOver) break;
      expect([pausedAt, now.map(asStored)]).toEqual([pausedAt, written.map(asStored)]);
      ends.add(end);
    }
    expect(ends).toContain('CONFLICT');
  });
});
