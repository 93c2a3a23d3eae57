import { ACTOR_KINDS } from '@postroom/contract/actor';
import type { AuditEntryDocument } from '@postroom/mail-store/documents/audit';
import type { ActivityServiceDefinition, AuditLogEntry } from '@postroom/proto/postroom/v1/activity';
import type { Handlers } from '@postroom/rpc/definition';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { ServiceContext } from '@postroom/runtime/service';
import { z } from 'zod';
import { readAuditCursor, writeAuditCursor } from './audit-cursor.ts';
import type { AuditLogStore } from './audit-log-store.ts';

export interface AuditDeps {
  context: Pick<ServiceContext, 'clock'>;
  auditLog: AuditLogStore;
}

const USUAL = 50;
const MOST = 200;
const text = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters').optional();
const moment = z.iso
  .datetime({ offset: true, error: 'must be a date and time such as 2027-01-31T00:00:00Z' })
  .transform((written) => new Date(written))
  .optional();

const rules = z.object({
  actorKind: z.enum(ACTOR_KINDS, `must be one of ${ACTOR_KINDS.join(', ')}`).optional(),
  actorId: text,
  action: text,
  targetKind: text,
  targetId: text,
  since: moment,
  until: moment,
});

export function auditLogHandlers({ auditLog, context: { clock } }: AuditDeps) {
  return {
    listAudit: async (request, call) => {
      const filter = parseRequest(rules, request);
      const limit = Math.min(MOST, request.limit > 0 ? request.limit : USUAL);
      const after = request.cursor === undefined ? undefined : readAuditCursor(request.cursor);
      // One more than is shown tells whether there are more.
      const asked = { filter, after, limit: limit + 1, now: clock.date() };
      const found = await auditLog.list(call.workspaceId, asked, call);
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      return {
        items: items.map(toMessageEntry),
        hasMore: last !== undefined,
        nextCursor: last && writeAuditCursor({ at: last.at, id: last._id }),
      };
    },
  } satisfies Partial<Handlers<ActivityServiceDefinition>>;
}

function toMessageEntry({ _id, at, actor, action, target, outcome }: AuditEntryDocument): AuditLogEntry {
  return {
    id: _id,
    at: at.toISOString(),
    actor,
    action,
    targetKind: target.kind,
    targetId: target.id,
    targetName: target.name,
    outcome,
  };
}
