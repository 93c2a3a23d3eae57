import type { ActorKind } from '@postroom/contract/actor';

/** A change that somebody asked for. Many services write entries, each its own and through one store (`audit-store.ts`). */
export interface AuditEntryDocument {
  _id: string;
  workspaceId: string;
  at: Date;
  actor: AuditActorPart;
  action: string;
  /** The action and its first word, so that one index finds either. */
  actions: string[];
  target: AuditTargetPart;
  /** Unknown: the change was begun, and its process died or lost its database before it could tell. */
  outcome: 'unknown' | 'done' | 'failed';
  expiresAt: Date;
}

export interface AuditActorPart {
  kind: ActorKind;
  id: string;
  name: string;
  address: string;
}

export interface AuditTargetPart {
  kind: string;
  id: string;
  name: string;
}
