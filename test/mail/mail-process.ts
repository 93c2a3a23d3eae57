import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { mimeLimits } from '@postroom/mime/limits';
import { IncomingMessage, type IngestOutcome } from '@postroom/proto/postroom/v1/mailbox_write';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createEmailStore } from '../../services/mailbox-write/src/ingest/email-store.ts';
import { createIngest } from '../../services/mailbox-write/src/ingest/ingest.ts';
import { settleOlder } from '../../services/mailbox-write/src/ingest/settling-sweep.ts';
import { createUnsettledStore } from '../../services/mailbox-write/src/ingest/unsettled-store.ts';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';
import { createBulkStore } from '../../services/mailbox-write/src/changes/bulk-store.ts';
import { createOwedCopyStore } from '../../services/mailbox-write/src/places/owed-copy-store.ts';
import { createPlaces } from '../../services/mailbox-write/src/places/matching.ts';
import { createChangeMaker } from '../../services/mailbox-write/src/places/change-maker.ts';
import { createPlaceHandlers } from '../../services/mailbox-write/src/places/place-handlers.ts';
import { createPlaceStore } from '../../services/mailbox-write/src/places/place-store.ts';
import { createRemovalStore } from '../../services/mailbox-write/src/places/removal-store.ts';
import { createSetAside } from '../../services/mailbox-write/src/set-aside/set-aside.ts';
import { createSetAsideStore } from '../../services/mailbox-write/src/set-aside/set-aside-store.ts';
import { createThreadStore } from '../../services/mailbox-write/src/threads/thread-store.ts';
import { createThreads } from '../../services/mailbox-write/src/threads/threads.ts';
import { type AtCall, watched } from '../../services/mailbox-write/src/threads/turns.test-support.ts';
import { createWaitingStore } from '../../services/mailbox-write/src/threads/waiting-store.ts';

export interface MailProcess {
  handlers: ReturnType<typeof createPlaceHandlers>;
  ingest(mailbox: MailboxDocument, messages: readonly Partial<IncomingMessage>[]): Promise<IngestOutcome[]>;
  /** Finishes with whatever any process has left. */
  sweep(): Promise<void>;
}

/** The taking in of mail as one process of the service does it, without sockets; its store calls go through `at`. */
export function mailProcess(collections: Collections, at: AtCall, read = readMail): MailProcess {
  const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });
  const emails = watched(createEmailStore(collections), at);
  const inTurn = <T>(_: string, work: () => Promise<T>) => work();
  const settling = {
    unsettled: watched(createUnsettledStore(collections), at),
    waiting: watched(createWaitingStore(collections), at),
    threads: createThreads(watched(createThreadStore(collections), at)),
  };
  const stores = {
    emails,
    places: watched(createPlaceStore(collections), at),
    bulk: watched(createBulkStore(collections), at),
    removals: watched(createRemovalStore(collections), at),
    owedCopies: watched(createOwedCopyStore(collections), at),
  };
  const relay = { publishSoon: () => undefined };
  const placeDeps = { stores, relay, context, settling, changeOf: createChangeMaker(context) };
  const ingest = createIngest({
    ...settling,
    places: createPlaces(placeDeps),
    emails,
    inTurn,
    pool: {
      parse: async (raw) => ({ kind: 'mail', id: 0, mail: read(Buffer.from(raw), mimeLimits) }),
      close: async () => undefined,
    },
    setAside: createSetAside(createSetAsideStore(collections), context),
    relay,
    context,
  });
  return {
    handlers: createPlaceHandlers({ ...placeDeps, inTurn, requireMailbox: ingest.requireMailbox }),
    ingest: async ({ _id, workspaceId }, messages) => {
      const whole = messages.map((message) => IncomingMessage.create({ folderType: 'INBOX', ...message }));
      return (await ingest.ingest(workspaceId, { mailboxId: _id, messages: whole })).outcomes;
    },
    sweep: () =>
      settleOlder({ ...settling, findMailbox: emails.findMailbox, inTurn, context }, new Date(Date.now() + 60_000)),
  };
}
