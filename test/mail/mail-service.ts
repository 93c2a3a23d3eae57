import { eventTable } from '@postroom/events/event-table';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import type { Topic } from '@postroom/events/topics';
import type { FaultOptions } from '@postroom/events/faults';
import { openMailStore } from '@postroom/mail-store/connection';
import type { Collections } from '@postroom/mail-store/collections';
import type { FolderType } from '@postroom/contract/lists';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { service } from '@postroom/mailbox-write/service';
import {
  IncomingMessage,
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
  type IngestOutcome,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { systemClock } from '@postroom/runtime/clock';
import { freshDatabaseUri } from '../support/database.ts';

export interface MailService {
  uri: string;
  address: string;
  collections: Collections;
  client: Client<typeof MailboxWriteServiceDefinition>;
  operators: Client<typeof MailboxWriteOperatorServiceDefinition>;
  bus: MemoryBus;
  /** A mailbox in a workspace of its own, written past the service that owns mailboxes. */
  mailbox(options?: { folders?: readonly FolderType[]; email?: string }): Promise<MailboxDocument>;
  ingest(
    mailbox: MailboxDocument,
    messages: readonly Partial<IncomingMessage>[],
    limitMs?: number,
  ): Promise<IngestOutcome[]>;
  close(): Promise<void>;
}

const OPERATOR_TOKEN = 'operators';
const ALL_FOLDERS: readonly FolderType[] = ['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'];

interface MailServiceOptions {
  faults?: FaultOptions;
  /** Events stay pending, as where the groups that handle them have no consumer. Without it they count as handled. */
  keepsEvents?: boolean;
  /** The database of another one, as two pods share it; that one drops it in the end. */
  uri?: string;
}

/** mailbox-write alone, over its real socket and a database of this file's own. */
export async function startMailService(options: MailServiceOptions = {}): Promise<MailService> {
  const { uri: shared } = options;
  const uri = shared ?? freshDatabaseUri();
  const context = createServiceContext({ name: 'mailbox-write', logLevel: 'silent' });
  const bus = busOf(options);
  const store = await openMailStore({ uri, needsSchema: false }, context);
  if (!shared) await migrate(store.connection, context);
  const listeners = { HOST: '127.0.0.1', GRPC_PORT: 0, OPERATOR_PORT: 0, OPERATOR_TOKEN };
  const settings = service.config.parse({ MONGODB_URI: uri, ...listeners });
  const { port, operatorPort } = await service.open(settings, { ...context, bus });
  const client = connect(MailboxWriteServiceDefinition, `127.0.0.1:${port}`, { context });
  const behind = { context, token: OPERATOR_TOKEN };
  const operators = connect(MailboxWriteOperatorServiceDefinition, `127.0.0.1:${operatorPort}`, behind);
  const { collections } = store;

  return {
    uri,
    address: `127.0.0.1:${port}`,
    collections,
    client,
    operators,
    bus,
    mailbox: async ({ folders = ALL_FOLDERS, email = 'me@example.com' } = {}) => {
      const workspaceId = randomIds('wsp');
      const document: MailboxDocument = {
        _id: randomIds('mbx'),
        workspaceId,
        email,
        emailKey: `${email}:${workspaceId}`,
        recipientKeys: [],
        name: null,
        provider: 'development',
        status: 'active',
        aliases: [],
        folders: folders.map((type) => ({ id: randomIds('fld'), name: type, type })),
        server: null,
        credentials: null,
        lastSyncedAt: null,
        createdAt: new Date(),
      };
      await collections.mailboxes.create([document]);
      return document;
    },
    ingest: async ({ _id, workspaceId }, messages, limitMs = 60_000) => {
      const request = {
        mailboxId: _id,
        messages: messages.map((message) => IncomingMessage.create({ folderType: 'INBOX', ...message })),
      };
      const answer = await client.ingest(request, { workspaceId, deadline: Date.now() + limitMs });
      return answer.outcomes;
    },
    close: async () => {
      client.close();
      operators.close();
      if (!shared) await store.connection.dropDatabase();
      await context.lifecycle.close();
      await bus.close();
    },
  };
}

const busOf = ({ faults, keepsEvents }: MailServiceOptions): MemoryBus =>
  memoryBus({
    clock: systemClock,
    log: silentLog,
    ...(faults && { faults }),
    ...(keepsEvents && { groupsOf: (topic: Topic) => eventTable[topic].groups }),
  });
