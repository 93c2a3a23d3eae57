import type { Scope } from '@postroom/contract/lists';
import type { Plan } from '@postroom/contract/plans';

/** A tenant: its plan and whether it is suspended. */
export interface WorkspaceDocument {
  _id: string;
  name: string;
  plan: Plan;
  /** The subscription's end; past it the Free plan is in force. */
  planUntil: Date | null;
  suspendedAt: Date | null;
  createdAt: Date;
}

/** It is found by its hash before any workspace is known, so it has a small collection of its own. */
export interface ApiKeyDocument {
  _id: string;
  workspaceId: string;
  name: string;
  secretHash: string;
  scopes: Scope[];
  allowOutboundSend: boolean;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** An active key holds one of the plan's numbered slots, unique per workspace; its own id once it is revoked or expired. */
  slot: string;
  createdAt: Date;
}

/** A signature that the workspace can put below its emails. */
export interface SignatureDocument {
  _id: string;
  workspaceId: string;
  name: string;
  html: string;
  isDefault: boolean;
  position: number;
  aliasEmail: string | null;
  mailboxId: string | null;
  createdAt: Date;
  updatedAt: Date;
}
