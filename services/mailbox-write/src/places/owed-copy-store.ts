import type { Collections } from '@postroom/mail-store/collections';
import type { OwedCopyDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../insert-all-store.ts';

export type OwedCopyStore = ReturnType<typeof createOwedCopyStore>;

/** What providers are to get of mail that was made here, each under the id that it is owed by. */
export function createOwedCopyStore({ owedCopies }: Pick<Collections, 'owedCopies'>) {
  return {
    async keep(_workspaceId: string, copy: OwedCopyDocument): Promise<void> {
      await insertNew(owedCopies, [copy]);
    },

    async remove(workspaceId: string, changeIds: readonly string[]): Promise<void> {
      await owedCopies.deleteMany({ workspaceId, _id: { $in: changeIds } }, QUERY_LIMIT);
    },
  };
}
