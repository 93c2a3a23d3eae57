import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type OldEffectStore = ReturnType<typeof createOldEffectStore>;
type EmailOfEffect = Pick<EmailDocument, '_id' | 'workspaceId'>;

export function createOldEffectStore({ emails }: Writes<'emails'>) {
  return {
    everyWorkspacesBefore(before: Date, limit: number): Promise<EmailOfEffect[]> {
      const old = { 'labelEffects.at': { $gt: new Date(0), $lt: before } };
      return emails.find(old, { workspaceId: 1 }, QUERY_LIMIT).limit(limit).lean<EmailOfEffect[]>();
    },

    /** Newer effects of these emails stay. */
    async forget(workspaceId: string, ids: readonly string[], before: Date): Promise<void> {
      const old = { at: { $lt: before } };
      const change = { $pull: { labelEffects: old, undoneEffects: old } };
      await emails.updateMany({ workspaceId, _id: { $in: [...ids] } }, change, QUERY_LIMIT);
    },
  };
}
