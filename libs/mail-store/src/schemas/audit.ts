import type { AuditActorPart, AuditEntryDocument, AuditTargetPart } from '../documents/audit.ts';
import { part, presentText, required, schema } from './schema.ts';

export const auditEntrySchema = schema<AuditEntryDocument>({
  workspaceId: required(String),
  at: required(Date),
  actor: part<AuditActorPart>({ kind: required(String), id: presentText, name: presentText, address: presentText }),
  action: required(String),
  actions: [String],
  target: part<AuditTargetPart>({ kind: required(String), id: presentText, name: presentText }),
  outcome: required(String),
  expiresAt: required(Date),
});
