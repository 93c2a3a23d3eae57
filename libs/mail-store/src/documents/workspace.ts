import type { Scope } from '@postroom/contract/lists';
import type { Plan } from '@postroom/contract/plans';
import { type TypeOf, nullable, presentText, required, schema, typed } from '../schemas/schema.ts';

/** A tenant: its plan and whether it is suspended. */
export interface WorkspaceDocument extends TypeOf<typeof workspaceSchema> {}
export const workspaceSchema = schema({
  name: required(String),
  plan: required(typed<Plan>(String)),
  /** The subscription's end; past it the Free plan is in force. */
  planUntil: nullable(Date),
  suspendedAt: nullable(Date),
  createdAt: required(Date),
});

/** It is found by its hash before any workspace is known, so it has a small collection of its own. */
export interface ApiKeyDocument extends TypeOf<typeof apiKeySchema> {}
export const apiKeySchema = schema({
  workspaceId: required(String),
  name: required(String),
  secretHash: required(String),
  scopes: [typed<Scope>(String)],
  allowOutboundSend: required(Boolean),
  expiresAt: nullable(Date),
  revokedAt: nullable(Date),
  /** An active key holds one of the plan's numbered slots, unique per workspace; its own id once it is revoked or expired. */
  slot: required(String),
  createdAt: required(Date),
});

/** A signature that the workspace can put below its emails. */
export interface SignatureDocument extends TypeOf<typeof signatureSchema> {}
export const signatureSchema = schema({
  workspaceId: required(String),
  name: required(String),
  html: presentText,
  isDefault: required(Boolean),
  position: required(Number),
  aliasEmail: nullable(String),
  mailboxId: nullable(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});
