import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { DirectoryStore } from './directory-store.ts';
import type { KeyStore } from './key-store.ts';
import type { MailboxStore } from './mailbox-store.ts';
import type { SignatureStore } from './signature-store.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** What the handlers of this service work with. */
export interface Deps {
  clock: Clock;
  ids: Ids;
  directory: DirectoryStore;
  workspaces: WorkspaceStore;
  keys: KeyStore;
  mailboxes: MailboxStore;
  signatures: SignatureStore;
}
