import type { ActorKind } from '@postroom/contract/actor';
import type { Reads } from '@postroom/mail-store/access';
import type { AuditEntryDocument } from '@postroom/mail-store/documents/audit';
import { notExpired } from '@postroom/mail-store/kept-for';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { AuditPosition } from './audit-cursor.ts';

interface AuditFilter {
  actorKind?: ActorKind | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  targetKind?: string | undefined;
  targetId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

interface Listing {
  filter: AuditFilter;
  after: AuditPosition | undefined;
  limit: number;
  now: Date;
}

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;

export function createAuditLogStore({ auditEntries }: Reads<'auditEntries'>) {
  return {
    /** The newest first. */
    list: (
      workspaceId: string,
      { filter, after, limit, now }: Listing,
      budget: TimeBudget,
    ): Promise<AuditEntryDocument[]> => {
      const behind = after && { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after.id } }] };
      return auditEntries
        .find({ workspaceId, ...notExpired(now), ...queryOf(filter), ...behind }, null, timeLimit(budget))
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean<AuditEntryDocument[]>()
        .exec();
    },
  };
}

function queryOf({ actorKind, actorId, action, targetKind, targetId, since, until }: AuditFilter) {
  const at = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  return {
    ...(actorKind !== undefined && { 'actor.kind': actorKind }),
    ...(actorId !== undefined && { 'actor.id': actorId }),
    ...(action !== undefined && { actions: action }),
    ...(targetKind !== undefined && { 'target.kind': targetKind }),
    ...(targetId !== undefined && { 'target.id': targetId }),
    ...((since ?? until) && { at }),
  };
}
