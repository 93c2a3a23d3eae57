import type { Scope } from '@postroom/contract/lists';
import type { Role } from '@postroom/contract/roles';
import type { SendingLevel } from '@postroom/contract/sending-levels';
import { type TypeOf, nullable, part, presentText, required, schema, typed } from '../schemas/schema.ts';

/** The parameters stand beside the hash, so that stronger ones can be used for new passwords. */
export interface PasswordHash extends TypeOf<typeof passwordHashPart> {}
const passwordHashPart = part({ salt: required(String), hash: required(String), cost: required(Number) });

/** A person who uses the app. People belong to no workspace: one person can be a member of several. */
export interface PersonDocument extends TypeOf<typeof personSchema> {}
export const personSchema = schema({
  email: required(String),
  emailKey: required(String),
  name: presentText,
  password: nullable(passwordHashPart),
  /** The invitation that made the account; it may be continued after an interruption. */
  invitationId: required(String),
  /** Another one once a provider has proven the address: ways in that were set up under an older one end. */
  proofId: nullable(String),
  createdAt: required(Date),
});

export interface MemberPart extends TypeOf<typeof memberPart> {}
const memberPart = part({ personId: required(String), role: required(typed<Role>(String)), joinedAt: required(Date) });

/**
 * All members of one workspace. They stand in one document, so that a change of a role sees every other role: a
 * workspace always has an owner.
 */
export interface WorkspaceMembersDocument extends TypeOf<typeof workspaceMembersSchema> {}
export const workspaceMembersSchema = schema({
  workspaceId: required(String),
  version: required(Number),
  members: [memberPart],
  /** The same people once more, to find the workspaces of a person. */
  personIds: [String],
});

/** An invitation to a workspace; its link is known by a hash. */
export interface InvitationDocument extends TypeOf<typeof invitationSchema> {}
export const invitationSchema = schema({
  workspaceId: required(String),
  email: required(String),
  emailKey: required(String),
  role: required(typed<Role>(String)),
  secretHash: required(String),
  /** Null for an invitation by an operator. */
  invitedBy: nullable(String),
  createdAt: required(Date),
  expiresAt: required(Date),
});

/** Its id is the hash of the secret in the link. */
export interface SignInLinkDocument extends TypeOf<typeof signInLinkSchema> {}
export const signInLinkSchema = schema({ personId: required(String), expiresAt: required(Date) });

/** Its id is the hash of the token in the cookie. */
export interface SessionDocument extends TypeOf<typeof sessionSchema> {}
export const sessionSchema = schema({
  /** Names the session where people list and end their sessions. */
  publicId: required(String),
  personId: required(String),
  proofId: nullable(String),
  createdAt: required(Date),
  lastSeenAt: required(Date),
  /** The end of the session when it is not used again. */
  expiresAt: required(Date),
  address: presentText,
  userAgent: presentText,
});

/** A key pair on a device of a person. Its id is the one that the device gave it. */
export interface PasskeyDocument extends TypeOf<typeof passkeySchema> {}
export const passkeySchema = schema({
  personId: required(String),
  proofId: nullable(String),
  name: presentText,
  /** COSE, in base64. */
  publicKey: required(String),
  /** Of its uses, by the device; 0 for ever where the device does not count. */
  counter: required(Number),
  transports: [String],
  createdAt: required(Date),
  lastUsedAt: nullable(Date),
});

/** A question to a device that is not answered yet. Its id is the hash of the challenge. */
export const passkeyChallengeSchema = schema({
  /** Empty for a sign-in. */
  personId: presentText,
  expiresAt: required(Date),
});

/** A sign-in at the OpenID Connect provider that is not answered yet. Its id is the hash of the token that the browser keeps. */
export interface OidcSignInDocument extends TypeOf<typeof oidcSignInSchema> {}
export const oidcSignInSchema = schema({
  state: required(String),
  nonce: required(String),
  codeVerifier: required(String),
  /** The provider returns the browser to it. */
  redirectUri: required(String),
  expiresAt: required(Date),
});

/** The account of a person at an OpenID Connect provider. Its id is the hash of the issuer and the subject. */
export interface OidcAccountDocument extends TypeOf<typeof oidcAccountSchema> {}
export const oidcAccountSchema = schema({
  personId: required(String),
  issuer: required(String),
  /** False until the ways in that the person had before are gone: nobody had proven the address then. */
  othersEnded: required(Boolean),
  createdAt: required(Date),
});

/** Failed sign-ins of one account or one address in one period; or, with no count, an address that has opened an account. */
export const signInAttemptsSchema = schema({ count: required(Number), expiresAt: required(Date) });

/**
 * A person lets an OAuth client act in one workspace. Tokens name their grant, and are worth nothing once it is not there:
 * removing it is all that ends it.
 */
export interface GrantDocument extends TypeOf<typeof grantSchema> {}
export const grantSchema = schema({
  workspaceId: required(String),
  personId: required(String),
  /** The start of the membership that it depends on. A person who leaves and joins again has another one. */
  memberSince: required(Date),
  clientId: required(String),
  clientName: presentText,
  /** The host that the client returns to. */
  clientHost: presentText,
  scopes: [typed<Scope>(String)],
  level: required(typed<SendingLevel>(String)),
  /** The address of the MCP server that its tokens are for. */
  resource: required(String),
  createdAt: required(Date),
  expiresAt: required(Date),
});

/** A record of the authorization server: a client, a code, a token. Its id is the hash of its secret. */
export interface OAuthRecordDocument extends TypeOf<typeof oauthRecordSchema> {}
export const oauthRecordSchema = schema({
  kind: required(String),
  /** As JSON, because its fields belong to the library. It lacks the secret. */
  payload: required(String),
  grantId: nullable(String),
  /** A code and a refresh token are used once. */
  consumedAt: nullable(Date),
  /** Null for a client that a person has let in. */
  expiresAt: nullable(Date),
});
