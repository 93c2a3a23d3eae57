import type { CopyResponseObject, ImapFlow } from 'imapflow';
import { requireAnswer } from './require-answer.ts';
import type { ImapConnection, AssignedUid } from './imap-connection.ts';
import type { Commands } from './commands.ts';
import { inUidBatches, uidSetOf } from './uid-set.ts';

type Storing = Pick<ImapConnection, 'setFlag' | 'move' | 'remove' | 'append'>;

const BY_UID = { uid: true } as const;

/** Changes at the provider: one flag at a time, of these messages alone. */
export function storing(client: ImapFlow, commands: Commands): Storing {
  const has = (capability: string) => client.capabilities.has(capability);
  const add = async (range: string, flag: string) => requireAnswer(await client.messageFlagsAdd(range, [flag], BY_UID));

  const moveRange = async (range: string, path: string): Promise<CopyResponseObject> => {
    if (has('MOVE')) return requireAnswer(await client.messageMove(range, path, BY_UID));
    const copied = requireAnswer(await client.messageCopy(range, path, BY_UID));
    await removeRange(range);
    return copied;
  };
  const removeRange = async (range: string): Promise<void> => {
    // Without UIDPLUS there is only a command that takes along what others have marked: the mark has to do.
    if (has('UIDPLUS')) requireAnswer(await client.messageDelete(range, BY_UID));
    else await add(range, '\\Deleted');
  };

  return {
    async setFlag(uids, flag, isSet) {
      for (const part of inUidBatches(uids))
        await commands.run(async () => {
          if (isSet) await add(uidSetOf(part), flag);
          else requireAnswer((await client.messageFlagsRemove(uidSetOf(part), [flag], BY_UID)) || undefined);
        });
    },

    async move(uids, path) {
      const assigned = new Map<number, AssignedUid>();
      for (const part of inUidBatches(uids)) {
        const { uidMap, uidValidity } = await commands.run(() => moveRange(uidSetOf(part), path));
        for (const [from, uid] of uidMap ?? []) assigned.set(from, { uid, uidValidity: Number(uidValidity) });
      }
      return assigned;
    },

    async remove(uids) {
      for (const part of inUidBatches(uids)) await commands.run(() => removeRange(uidSetOf(part)));
    },

    append: (path, raw, flags, date) =>
      commands.run(async () => {
        const { uid, uidValidity } = requireAnswer(await client.append(path, raw, [...flags], date));
        return uid !== undefined && uidValidity !== undefined ? { uid, uidValidity: Number(uidValidity) } : null;
      }),
  };
}
