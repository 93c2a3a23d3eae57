import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from '../documents/workspace.ts';
import { nullable, required, schema, presentText } from './schema.ts';

export const workspaceSchema = schema<WorkspaceDocument>({
  name: required(String),
  plan: required(String),
  planUntil: nullable(Date),
  suspendedAt: nullable(Date),
  createdAt: required(Date),
});

export const apiKeySchema = schema<ApiKeyDocument>({
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

export const signatureSchema = schema<SignatureDocument>({
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
