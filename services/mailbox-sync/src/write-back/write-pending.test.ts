import { expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { newFolderState, type Session } from '../session/session.ts';
import { writePending } from './write-pending.ts';

const INBOX = { id: 'inbox', path: 'INBOX', name: 'INBOX', type: 'INBOX' } as const;
const TRASH = { id: 'trash', path: 'Trash', name: 'Trash', type: 'TRASH' } as const;
const KNOWN = {
  uidNext: 3,
  highestModseq: '0',
  lowestDone: 1,
  done: 2,
  total: 2,
  comparedAt: new Date(),
  surprises: 0,
};

/** A mailbox whose folder had UIDs under 1 when its emails were changed here. */
function mailbox(uidValidity: number) {
  const asked: string[] = [];
  const completed: unknown[] = [];
  const email = (uid: number, providerChanges: object) => ({
    _id: `eml_${uid}`,
    place: { folderId: 'inbox', uidValidity: 1, uid },
    providerChanges,
  });
  const pending = [
    email(1, { isStarred: { id: 'chg_1', to: true } }),
    email(2, { isRead: { id: 'chg_2', to: true } }),
    email(3, { folderId: { id: 'chg_3', to: 'trash' } }),
  ];
  const session = {
    open: null,
    lease: { workspaceId: 'wsp_1', mailboxId: 'mbx_1' },
    folders: [newFolderState(INBOX, { ...KNOWN, uidValidity: 1 }), newFolderState(TRASH, null)],
    labelFolders: [],
    attempts: new Map(),
    connection: {
      open: async (path: string) => {
        asked.push(`open ${path}`);
        return { uidValidity };
      },
      setFlag: async (uids: number[], flag: string) => void asked.push(`set ${flag} ${uids.join()}`),
      move: async (uids: number[]) => {
        asked.push(`move ${uids.join()}`);
        return new Map();
      },
    },
    writer: { complete: async (changes: { changeIds: string[] }[]) => void completed.push(...changes.map(idsOf)) },
    deps: { pending: { find: async () => pending }, context: { clock: systemClock } },
  } as unknown as Session;
  return { session, asked, completed };
}

const idsOf = ({ changeIds }: { changeIds: string[] }): string => changeIds.join();

it('changes of emails are written to their messages', async () => {
  const { session, asked, completed } = mailbox(1);
  await writePending(session);
  expect(asked).toEqual(['open INBOX', 'set \\Flagged 1', 'set \\Seen 2', 'move 3']);
  expect(completed).toEqual(['chg_1', 'chg_2', 'chg_3']);
});

it('no message is changed in a folder whose UIDs mean other messages now, however many changes wait', async () => {
  const { session, asked, completed } = mailbox(2);
  await writePending(session);
  expect([new Set(asked), completed]).toEqual([new Set(['open INBOX']), []]);
  expect(session.folders[0]?.isDue).toBe(true);
});
