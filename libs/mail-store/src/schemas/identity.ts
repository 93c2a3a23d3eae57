import type {
  GrantDocument,
  OAuthRecordDocument,
  InvitationDocument,
  MemberPart,
  OidcAccountDocument,
  OidcSignInDocument,
  PasskeyChallengeDocument,
  PasskeyDocument,
  PasswordHash,
  PersonDocument,
  SessionDocument,
  SignInAttemptsDocument,
  SignInLinkDocument,
  WorkspaceMembersDocument,
} from '../documents/identity.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

export const personSchema = schema<PersonDocument>({
  email: required(String),
  emailKey: required(String),
  name: presentText,
  password: nullable(part<PasswordHash>({ salt: required(String), hash: required(String), cost: required(Number) })),
  invitationId: required(String),
  proofId: nullable(String),
  createdAt: required(Date),
});

export const workspaceMembersSchema = schema<WorkspaceMembersDocument>({
  workspaceId: required(String),
  version: required(Number),
  members: [part<MemberPart>({ personId: required(String), role: required(String), joinedAt: required(Date) })],
  personIds: [String],
});

export const invitationSchema = schema<InvitationDocument>({
  workspaceId: required(String),
  email: required(String),
  emailKey: required(String),
  role: required(String),
  secretHash: required(String),
  invitedBy: nullable(String),
  createdAt: required(Date),
  expiresAt: required(Date),
});

export const signInLinkSchema = schema<SignInLinkDocument>({ personId: required(String), expiresAt: required(Date) });

export const sessionSchema = schema<SessionDocument>({
  publicId: required(String),
  personId: required(String),
  proofId: nullable(String),
  createdAt: required(Date),
  lastSeenAt: required(Date),
  expiresAt: required(Date),
  address: presentText,
  userAgent: presentText,
});

export const passkeySchema = schema<PasskeyDocument>({
  personId: required(String),
  proofId: nullable(String),
  name: presentText,
  publicKey: required(String),
  counter: required(Number),
  transports: [String],
  createdAt: required(Date),
  lastUsedAt: nullable(Date),
});

export const passkeyChallengeSchema = schema<PasskeyChallengeDocument>({
  personId: presentText,
  expiresAt: required(Date),
});

export const oidcSignInSchema = schema<OidcSignInDocument>({
  state: required(String),
  nonce: required(String),
  codeVerifier: required(String),
  redirectUri: required(String),
  expiresAt: required(Date),
});

export const oidcAccountSchema = schema<OidcAccountDocument>({
  personId: required(String),
  issuer: required(String),
  othersEnded: required(Boolean),
  createdAt: required(Date),
});

export const signInAttemptsSchema = schema<SignInAttemptsDocument>({
  count: required(Number),
  expiresAt: required(Date),
});

export const grantSchema = schema<GrantDocument>({
  workspaceId: required(String),
  personId: required(String),
  memberSince: required(Date),
  clientId: required(String),
  clientName: presentText,
  clientHost: presentText,
  scopes: [String],
  level: required(String),
  resource: required(String),
  createdAt: required(Date),
  expiresAt: required(Date),
});

export const oauthRecordSchema = schema<OAuthRecordDocument>({
  kind: required(String),
  payload: required(String),
  grantId: nullable(String),
  consumedAt: nullable(Date),
  expiresAt: nullable(Date),
});
