import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { createPendingChangeStore } from '../../services/mailbox-sync/src/pending/pending-change-store.ts';
import { createPendingCopyStore } from '../../services/mailbox-write/src/outgoing/pending-copy-store.ts';
import { openTestDatabase } from '../support/mail-database.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let collections: Collections;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ collections } = database);
});
afterAll(() => database.close());

const MEGABYTE = 1024 * 1024;
const workspaceId = 'wsp_1';
const copyOf = (_id: string, raw: Buffer) => {
  const now = new Date();
  return { _id, workspaceId, mailboxId: 'mbx_1', raw, createdAt: now, expiresAt: new Date(now.getTime() + 60_000) };
};

describe('a pending copy of sent mail that is larger than one document', () => {
  it.each([12 * MEGABYTE, 12 * MEGABYTE + 1, 34 * MEGABYTE])(
    'is carried whole and forgotten whole (%s bytes)',
    async (size) => {
      const [kept, carried] = [createPendingCopyStore(collections), createPendingChangeStore(collections)];
      const raw = randomBytes(size);
      const id = `chg_${size}`;
      await kept.keep(workspaceId, copyOf(id, raw));
      // A repeat after a crash.
      await kept.keep(workspaceId, copyOf(id, raw));
      expect((await carried.copyOf(workspaceId, id))?.equals(raw)).toBe(true);
      expect(await carried.copyOf('wsp_2', id)).toBeNull();
      await kept.remove(workspaceId, [id]);
      expect(await collections.pendingCopies.countDocuments({ mailboxId: 'mbx_1' })).toBe(0);
    },
  );

  it('is not carried while pieces of it are missing', async () => {
    const [kept, carried] = [createPendingCopyStore(collections), createPendingChangeStore(collections)];
    const raw = randomBytes(13 * MEGABYTE);
    await kept.keep(workspaceId, copyOf('chg_part', raw));
    await collections.pendingCopies.deleteOne({ _id: 'chg_part:1' });
    expect(await carried.copyOf(workspaceId, 'chg_part')).toBeNull();
    await kept.keep(workspaceId, copyOf('chg_part', raw));
    expect((await carried.copyOf(workspaceId, 'chg_part'))?.equals(raw)).toBe(true);
  });
});
