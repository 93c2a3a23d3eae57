import type { Relay } from '@postroom/events/outbox/relay';
import type {
  MailboxAccessServiceDefinition,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { CredentialStore, RenewalStore, SealedStore } from './credential-store.ts';
import type { OAuthGrant } from './credentials.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { KeyStore } from './key-store.ts';
import type { MailboxStore } from './mailbox-store.ts';
import type { TokenAnswer } from './oauth/token-endpoint.ts';
import type { SignatureStore } from './signature-store.ts';
import type { Vault } from './vault.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export type Rpcs = Handlers<WorkspaceServiceDefinition>;
export type OperatorRpcs = Handlers<WorkspaceOperatorServiceDefinition>;
export type AccessRpcs = Handlers<MailboxAccessServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  directory: DirectoryStore;
  workspaces: WorkspaceStore;
  keys: KeyStore;
  mailboxes: MailboxStore;
  signatures: SignatureStore;
  credentials: CredentialStore;
  sealed: SealedStore;
  vault: Vault;
  renewals: RenewalStore;
  tokenEndpoint(grant: OAuthGrant): Promise<TokenAnswer>;
  /** Its tasks go on when their caller has gone, and the process waits for them before it ends. */
  toItsEnd<T>(work: Promise<T>): Promise<T>;
  /** Between 0 and 1. */
  random(): number;
  /** Of the events that mailboxes owe. */
  relay: Pick<Relay, 'publishSoon'>;
}
