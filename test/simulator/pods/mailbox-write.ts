import type { OutboxStore } from '@postroom/events/outbox/outbox-store';
import { createRelay } from '@postroom/events/outbox/relay';
import { collectionsOf } from '@postroom/mail-store/access';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { messageBounds, MimeRefused } from '@postroom/mime/message-bounds';
import {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';
import { createHandlers } from '../../../services/mailbox-write/src/handlers.ts';
import {
  createCompletedEmails,
  createFinalizing,
  withCompleted,
} from '../../../services/mailbox-write/src/ingest/finalizing.ts';
import { sweepUnfinished } from '../../../services/mailbox-write/src/ingest/finalizing-sweep.ts';
import type { ParsePool } from '../../../services/mailbox-write/src/parse/parse-pool.ts';
import { readMail } from '../../../services/mailbox-write/src/parse/parsed-mail.ts';
import { sweepRemains } from '../../../services/mailbox-write/src/remains/sweep-remains.ts';
import { createStores } from '../../../services/mailbox-write/src/stores.ts';
import { simulatedCollections } from '../world/database.ts';
import type { OpenPod } from './pods.ts';

/** As its service.ts opens it, with a parser that needs no thread. */
export const openMailboxWrite: OpenPod = async (pod, { broker, network }) => {
  const { context } = pod;
  const all = simulatedCollections();
  const bus = broker.busOf(pod);
  const relayOf = (store: OutboxStore) => createRelay({ store, bus, context });
  const stores = createStores(collectionsOf(all, 'mailbox-write'), context.clock);
  const completed = createCompletedEmails(stores.unfinished, context);
  const { add: queueByMailbox } = createKeyedQueue();
  const finalizing = createFinalizing(stores, completed);
  sweepUnfinished({ ...finalizing, findMailbox: stores.emails.findMailbox, queueByMailbox, context });
  sweepRemains({ ...stores, context });
  const relays = {
    relay: relayOf(withCompleted(createOutboxStore(all.emails, context), completed)),
    removals: relayOf(createOutboxStore(all.removedEmails, context)),
  };
  const { handlers, operatorHandlers } = createHandlers({
    context,
    stores,
    completed,
    ...relays,
    pool: parseHere,
    queueByMailbox,
  });
  network.serve(MailboxWriteServiceDefinition, pod, handlers);
  network.serve(MailboxWriteOperatorServiceDefinition, pod, operatorHandlers);
};

const parseHere: ParsePool = {
  parse: async (raw) => {
    try {
      return { kind: 'mail', id: 0, mail: readMail(Buffer.from(raw), messageBounds) };
    } catch (error) {
      if (error instanceof MimeRefused) return { kind: 'refused', id: 0, cause: error.message };
      throw error;
    }
  },
  close: async () => undefined,
};
