import { expect, it } from '@jest/globals';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { LeaseLost } from '../leases/lease-lost.ts';
import { heldConnection } from './held-connection.ts';

it('a process that stood still past its lease changes nothing at the provider when it goes on', async () => {
  const done: string[] = [];
  const act = (name: string) => async () => void done.push(name) as never;
  const acts = { setFlag: act('setFlag'), move: act('move'), remove: act('remove'), append: act('append') };
  let isHeld = true;
  const connection = heldConnection(acts as unknown as ImapConnection, () => isHeld);
  const actAll = () => [
    () => connection.setFlag([1], '\\Seen', true),
    () => connection.move([1], 'Trash'),
    () => connection.remove([1]),
    () => connection.append('Sent', Buffer.from(''), [], new Date(0)),
  ];
  for (const change of actAll()) await change();
  expect(done).toEqual(['setFlag', 'move', 'remove', 'append']);
  isHeld = false;
  for (const change of actAll()) await expect(change()).rejects.toThrow(LeaseLost);
  expect(done).toHaveLength(4);
});
