import { expect, it } from '@jest/globals';
import type { ChangedEmail } from '../pending/pending-change-store.ts';
import { planCommands } from './plan-commands.ts';

const pending = (id: string, uid: number, providerChanges: ChangedEmail['providerChanges']): ChangedEmail => ({
  _id: id,
  messageId: `<${id}@x>`,
  date: new Date(0),
  isRead: false,
  isStarred: false,
  place: { folderId: 'inbox', uidValidity: 1, uid },
  providerChanges,
});

it('emails of one folder with the same pending change share a command', () => {
  const { commands } = planCommands([
    pending('a', 1, { isRead: { id: 'c1', to: true } }),
    pending('b', 2, { isRead: { id: 'c2', to: true } }),
    pending('c', 3, { isRead: { id: 'c3', to: false } }),
  ]);
  expect(commands).toMatchObject([
    {
      kind: 'flag',
      flag: '\\Seen',
      isSet: true,
      messages: [
        { uid: 1, changeId: 'c1' },
        { uid: 2, changeId: 'c2' },
      ],
    },
    { kind: 'flag', flag: '\\Seen', isSet: false, messages: [{ uid: 3, changeId: 'c3' }] },
  ]);
});

it('flags are set before moves, and removals come last', () => {
  const location = { folderId: 'drafts', uidValidity: 1, uid: 9 };
  const { commands } = planCommands([
    pending('a', 1, { remove: { id: 'c1', to: location } }),
    pending('b', 2, { folderId: { id: 'c2', to: 'trash' }, isStarred: { id: 'c3', to: true } }),
  ]);
  expect(commands.map(({ kind, folderId }) => `${kind} ${folderId}`)).toEqual([
    'flag inbox',
    'move inbox',
    'remove drafts',
  ]);
});

it('an email without a location yet waits for it', () => {
  const { place: _, ...nowhere } = pending('a', 1, { isRead: { id: 'c1', to: true } });
  expect(planCommands([nowhere]).commands).toEqual([]);
});
