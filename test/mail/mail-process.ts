import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { messageBounds } from '@postroom/mime/message-bounds';
import { IncomingMessage, type IngestOutcome } from '@postroom/proto/postroom/v1/mailbox_write';
import { type Clock, systemClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Deps } from '../../services/mailbox-write/src/deps.ts';
import { createHandlers } from '../../services/mailbox-write/src/handlers.ts';

import { createFinalizing } from '../../services/mailbox-write/src/ingest/finalizing.ts';
import { finalizeOlder } from '../../services/mailbox-write/src/ingest/finalizing-sweep.ts';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';
import type { CompletedEmail } from '../../services/mailbox-write/src/ingest/unfinished-store.ts';
import { createStores, type Stores } from '../../services/mailbox-write/src/stores.ts';
import { type AtCall, watched } from '../support/interleavings.ts';
import { callOf } from '../support/change-world.ts';

export interface MailProcess {
  handlers: Handlers<MailboxWriteServiceDefinition>;
  ingest(
    mailbox: MailboxDocument,
    messages: readonly Partial<IncomingMessage>[],
    isRepeat?: boolean,
  ): Promise<IngestOutcome[]>;
  /** Finishes with whatever any process has left. */
  sweep(): Promise<void>;
}

/** The taking in of mail as one process of the service does it, without sockets; its store calls go through `at`. */
export function mailProcess(
  collections: Collections,
  at: AtCall,
  read = readMail,
  clock: Pick<Clock, 'now'> = systemClock,
): MailProcess {
  const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });
  const stores = watchedStores(collections, at, clock);
  const queueByMailbox: Deps['queueByMailbox'] = (_key, work) => work((wait) => wait());
  const complete: CompletedEmail[] = [];
  const completed: Deps['completed'] = { add: (email) => void complete.push(email) };
  // The service does it a moment later.
  const writeComplete = async () => {
    if (complete.length > 0) await stores.unfinished.everyWorkspacesComplete(complete.splice(0));
  };
  const { handlers } = createHandlers({
    context,
    stores,
    completed,
    queueByMailbox,
    relay: { publishSoon: () => undefined },
    removals: { publishSoon: () => undefined },
    pool: {
      parse: async (raw) => ({ kind: 'mail', id: 0, mail: read(Buffer.from(raw), messageBounds) }),
      close: async () => undefined,
    },
  });
  return {
    handlers: {
      ...handlers,
      storeOutgoing: async (request, call) => {
        const email = await handlers.storeOutgoing(request, call);
        await writeComplete();
        return email;
      },
    },
    ingest: async ({ _id, workspaceId }, messages, isRepeat = false) => {
      const whole = messages.map((message) => IncomingMessage.create({ folderType: 'INBOX', ...message }));
      const request = { mailboxId: _id, messages: whole, epoch: undefined, at: undefined, isRepeat };
      const { outcomes } = await handlers.ingest(request, callOf(workspaceId));
      await writeComplete();
      return outcomes;
    },
    sweep: () =>
      finalizeOlder(
        { ...createFinalizing(stores, completed), findMailbox: stores.emails.findMailbox, queueByMailbox, context },
        new Date(Date.now() + 60_000),
      ),
  };
}

function watchedStores(collections: Collections, at: AtCall, clock: Pick<Clock, 'now'>): Stores {
  const stores = Object.entries(createStores(collections, clock)).map(([name, store]) => [name, watched(store, at)]);
  return Object.fromEntries(stores) as Stores;
}
