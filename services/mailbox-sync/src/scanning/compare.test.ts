import { expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { type FolderState, isDoubtful, newFolderState, type Session } from '../session/session.ts';
import { compareFolder } from './compare.ts';

const OPENED = { path: 'INBOX', exists: 1, uidNext: 3, uidValidity: 1, highestModseq: 9n, vanished: null };

it.each([
  ['is listed again in the next pass, when a stored email is missing that this session has never counted', 1, true],
  ['is not listed again, when no stored email is missing', 0, false],
])('a folder %s', async (_, suspected, isListedAgain) => {
  const session = {
    connection: { uids: async () => [2], has: () => false },
    writer: { apply: async () => ({ unknownUids: [], changed: 0, moved: 0, gone: 0, suspected }) },
    pass: 4,
    searchUntil: 0,
    lateUntil: 0,
    lease: { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 },
    deps: { folderSyncs: { save: async () => undefined }, context: { clock: systemClock } },
  } as unknown as Session;
  const folder = { id: 'fld_1', path: 'INBOX', name: 'INBOX', type: 'INBOX' } as const;
  const sync = { uidValidity: 1, uidNext: 3, highestModseq: '9', lowestDone: 3, done: 0, total: 2 };
  const state: FolderState = newFolderState(folder, { ...sync, comparedAt: null, surprises: 0 });
  await compareFolder(session, state, OPENED, new Date());
  session.pass += 1;
  expect(isDoubtful(session, state)).toBe(isListedAgain);
  expect(session.searchUntil >= session.pass).toBe(isListedAgain);
});
