import type { Scope } from '@postroom/contract/lists';
import type { Role } from '@postroom/contract/roles';
import type { SendingLevel } from '@postroom/contract/sending-levels';

/** A person who uses the app. People belong to no workspace: one person can be a member of several. */
export interface PersonDocument {
  _id: string;
  email: string;
  emailKey: string;
  name: string;
  password: PasswordHash | null;
  /** The invitation that made the account; it may be continued after an interruption. */
  invitationId: string;
  /** Another one once a provider has proven the address: ways in that were set up under an older one end. */
  proofId: string | null;
  createdAt: Date;
}

/** The parameters stand beside the hash, so that stronger ones can be used for new passwords. */
export interface PasswordHash {
  salt: string;
  hash: string;
  cost: number;
}

/**
 * All members of one workspace. They stand in one document, so that a change of a role sees every other role: a
 * workspace always has an owner.
 */
export interface WorkspaceMembersDocument {
  _id: string;
  workspaceId: string;
  version: number;
  members: MemberPart[];
  /** The same people once more, to find the workspaces of a person. */
  personIds: string[];
}

export interface MemberPart {
  personId: string;
  role: Role;
  joinedAt: Date;
}

/** An invitation to a workspace; its link is known by a hash. */
export interface InvitationDocument {
  _id: string;
  workspaceId: string;
  email: string;
  emailKey: string;
  role: Role;
  secretHash: string;
  /** Null for an invitation by an operator. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Its id is the hash of the secret in the link. */
export interface SignInLinkDocument {
  _id: string;
  personId: string;
  expiresAt: Date;
}

/** Its id is the hash of the token in the cookie. */
export interface SessionDocument {
  _id: string;
  /** Names the session where people list and end their sessions. */
  publicId: string;
  personId: string;
  proofId: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** The end of the session when it is not used again. */
  expiresAt: Date;
  address: string;
  userAgent: string;
}

/** A key pair on a device of a person. Its id is the one that the device gave it. */
export interface PasskeyDocument {
  _id: string;
  personId: string;
  proofId: string | null;
  name: string;
  /** COSE, in base64. */
  publicKey: string;
  /** Of its uses, by the device; 0 for ever where the device does not count. */
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A question to a device that is not answered yet. Its id is the hash of the challenge. */
export interface PasskeyChallengeDocument {
  _id: string;
  /** Empty for a sign-in. */
  personId: string;
  expiresAt: Date;
}

/** A sign-in at the OpenID Connect provider that is not answered yet. Its id is the hash of the token that the browser keeps. */
export interface OidcSignInDocument {
  _id: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** The provider returns the browser to it. */
  redirectUri: string;
  expiresAt: Date;
}

/** The account of a person at an OpenID Connect provider. Its id is the hash of the issuer and the subject. */
export interface OidcAccountDocument {
  _id: string;
  personId: string;
  issuer: string;
  /** False until the ways in that the person had before are gone: nobody had proven the address then. */
  othersEnded: boolean;
  createdAt: Date;
}

/** Failed sign-ins of one account or one address in one period; or, with no count, an address that has opened an account. */
export interface SignInAttemptsDocument {
  _id: string;
  count: number;
  expiresAt: Date;
}

/**
 * A person lets an OAuth client act in one workspace. Tokens name their grant, and are worth nothing once it is not there:
 * removing it is all that ends it.
 */
export interface GrantDocument {
  _id: string;
  workspaceId: string;
  personId: string;
  /** The start of the membership that it depends on. A person who leaves and joins again has another one. */
  memberSince: Date;
  clientId: string;
  clientName: string;
  /** The host that the client returns to. */
  clientHost: string;
  scopes: Scope[];
  level: SendingLevel;
  /** The address of the MCP server that its tokens are for. */
  resource: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A record of the authorization server: a client, a code, a token. Its id is the hash of its secret. */
export interface OAuthRecordDocument {
  _id: string;
  kind: string;
  /** As JSON, because its fields belong to the library. It lacks the secret. */
  payload: string;
  grantId: string | null;
  /** A code and a refresh token are used once. */
  consumedAt: Date | null;
  /** Null for a client that a person has let in. */
  expiresAt: Date | null;
}
