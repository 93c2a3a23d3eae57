import type { ActorKind } from '@postroom/contract/actor';
import { type TypeOf, part, presentText, required, schema, typed } from '../schemas/schema.ts';

/** A change that somebody asked for. Many services write entries, each its own and through one store (`audit-store.ts`). */
export interface AuditEntryDocument extends TypeOf<typeof auditEntrySchema> {}
export const auditEntrySchema = schema({
  workspaceId: required(String),
  at: required(Date),
  actor: part({
    kind: required(typed<ActorKind>(String)),
    id: presentText,
    name: presentText,
    address: presentText,
  }),
  action: required(String),
  /** The action and its first word, so that one index finds either. */
  actions: [String],
  target: part({ kind: required(String), id: presentText, name: presentText }),
  /** Unknown: the change was begun, and its process died or lost its database before it could tell. */
  outcome: required(typed<'unknown' | 'done' | 'failed'>(String)),
  expiresAt: required(Date),
});
