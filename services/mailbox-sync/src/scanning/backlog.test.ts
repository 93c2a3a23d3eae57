import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { ImapFault } from '../imap/imap-fault.ts';
import { isAllRead, newFolderState, type Session } from '../session/session.ts';
import { takeBacklog } from './backlog.ts';

const MINUTE_MS = 60_000;
const OLD = Array.from({ length: 1_200 }, (_, n) => n + 1);

/** A mailbox whose archive has old mail, and is searched or not. */
function mailbox() {
  const clock = manualClock();
  const provider = { refuses: false };
  const answer = async <T>(value: T): Promise<T> => {
    if (provider.refuses) throw new ImapFault('failed', 'the provider did not do what it was asked (NO)');
    return value;
  };
  const folder = (type: 'INBOX' | 'OTHER', lowestDone: number) =>
    newFolderState(
      { id: `fld_${type}`, path: type, name: type, type },
      {
        uidValidity: 7,
        uidNext: 1_201,
        highestModseq: '9',
        lowestDone,
        done: 0,
        total: 1_200,
        comparedAt: clock.date(),
        surprises: 0,
      },
    );
  const archive = folder('OTHER', 1_201);
  const session = {
    folders: [folder('INBOX', 1), archive],
    open: { path: 'OTHER', uidValidity: 7 },
    lease: { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 },
    connection: {
      open: () => answer({ uidValidity: 7 }),
      uids: () => answer(OLD),
      facts: async function* () {},
    },
    deps: {
      context: { clock, log: silentLog },
      folderSyncs: { save: async () => undefined },
      scanMs: { folder: MINUTE_MS },
    },
  } as unknown as Session;
  const refusals = async (count: number): Promise<void> => {
    provider.refuses = true;
    session.open = null;
    for (let times = 0; times < count; times += 1) {
      await takeBacklog(session);
      await clock.advance(MINUTE_MS);
    }
    provider.refuses = false;
  };
  return { session, archive, refusals };
}

it('a folder is given up after five refusals in a row, and its old mail is taken in when it opens', async () => {
  const { session, archive, refusals } = mailbox();
  await refusals(4);
  expect(isAllRead(session)).toBe(false);
  await takeBacklog(session);
  await refusals(1);
  expect(isAllRead(session)).toBe(false);
  await refusals(4);
  expect(isAllRead(session)).toBe(true);
  expect(archive.sync?.lowestDone).toBe(701);
  while (await takeBacklog(session));
  expect(archive.sync?.lowestDone).toBe(1);
});
