import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Cursors } from './cursor.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { EmailStore } from './email-store.ts';
import type { PageStore } from './page-store.ts';
import type { Sanitiser } from './html/sanitiser.ts';

export type Rpcs = Handlers<MailboxReadServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock'>;
  cursors: Cursors;
  directory: DirectoryStore;
  emails: EmailStore;
  pages: PageStore;
  sanitiser: Sanitiser;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchBody'>;
}
