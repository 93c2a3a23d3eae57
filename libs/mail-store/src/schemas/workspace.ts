import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from '../documents/workspace.ts';
import { nullable, required, schema, text } from './schema.ts';

export const workspace = schema<WorkspaceDocument>({
  name: required(String),
  plan: required(String),
  planUntil: nullable(Date),
  suspendedAt: nullable(Date),
  createdAt: required(Date),
});

export const apiKey = schema<ApiKeyDocument>({
  workspaceId: required(String),
  name: required(String),
  secretHash: required(String),
  scopes: [String],
  allowOutboundSend: required(Boolean),
  expiresAt: nullable(Date),
  revokedAt: nullable(Date),
  slot: required(String),
  createdAt: required(Date),
});

export const signature = schema<SignatureDocument>({
  workspaceId: required(String),
  name: required(String),
  html: text,
  isDefault: required(Boolean),
  position: required(Number),
  aliasEmail: nullable(String),
  mailboxId: nullable(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});
