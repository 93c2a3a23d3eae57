import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { Collections } from '@postroom/mail-store/collections';
import type { Call } from '@postroom/rpc/call';
import { decodeEvent } from '@postroom/events/event';
import { isEventType } from '@postroom/events/event-table';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext, type ServiceContext } from '@postroom/runtime/service-context';
import { createStores, type Stores } from '../../services/mailbox-write/src/stores.ts';
import { emailDocument, type EmailParts } from './email-document.ts';
import { openTestDatabase } from './mail-database.ts';

interface ChangeWorkspace {
  call: Call;
  mailboxId: string;
  emails: (howMany: number, parts?: EmailParts) => Promise<string[]>;
  label: (parts?: { isAiLabel?: boolean; deletedAt?: Date | null }) => Promise<string>;
}

export interface ChangeWorld {
  collections: Collections;
  stores: Stores;
  context: ServiceContext;
  workspace: (mailboxParts?: Partial<MailboxDocument>) => Promise<ChangeWorkspace>;
  stored: (emailId: string) => Promise<EmailDocument>;
  pendingEvents: (emailId: string) => Promise<{ type: string; data: Record<string, unknown> }[]>;
  close: () => Promise<void>;
}

/** Emails, mailboxes and labels as they are stored, for handlers that change emails and are called without a socket. */
export async function openChangeWorld(): Promise<ChangeWorld> {
  const database = await openTestDatabase();
  const { collections } = database;
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const stored: ChangeWorld['stored'] = async (emailId) => {
    const email = await collections.emails.findOne({ _id: emailId }).lean<EmailDocument | null>();
    if (!email) throw new Error(`no email ${emailId}`);
    return email;
  };
  return {
    collections,
    stores: createStores(collections, context.clock),
    context,
    workspace: (mailboxParts) => createWorkspace(collections, mailboxParts),
    stored,
    pendingEvents: async (emailId) => pendingEvents(await stored(emailId)),
    close: () => database.close(),
  };
}

/** In the words of the contract, in the order in which they were stored with the email. */
function pendingEvents(email: EmailDocument) {
  const { events } = toOutboxEntry(email);
  return Object.values(events).map(({ type, value, key }) => {
    if (!isEventType(type)) throw new Error(`no event is called ${type}`);
    const { mailboxId, ...data } = decodeEvent(type, { value }).data;
    if (mailboxId !== key) throw new Error(`${type} is not keyed by its mailbox`);
    return { type, data: data as Record<string, unknown> };
  });
}

async function createWorkspace(
  collections: Collections,
  mailboxParts: Partial<MailboxDocument> = {},
): Promise<ChangeWorkspace> {
  const workspaceId = randomIds('wsp');
  const mailboxId = randomIds('mbx');
  await collections.mailboxes.create([{ ...mailboxDocument(workspaceId, mailboxId), ...mailboxParts }]);
  return {
    call: callOf(workspaceId),
    mailboxId,
    emails: async (howMany, parts = {}) => {
      const made = Array.from({ length: howMany }, () => emailDocument({ workspaceId, mailboxId, ...parts }));
      await collections.emails.insertMany(made);
      return made.map(({ _id }) => _id);
    },
    label: async (parts = {}) => {
      const _id = randomIds('lbl');
      const base = { _id, workspaceId, name: `Label ${_id}`, nameKey: _id, color: 'Red', createdAt: new Date() };
      await collections.labels.create([{ ...base, isAiLabel: false, deletedAt: null, ...parts }]);
      return _id;
    },
  };
}

function mailboxDocument(workspaceId: string, mailboxId: string): MailboxDocument {
  return {
    _id: mailboxId,
    workspaceId,
    email: 'bob@example.com',
    emailKey: mailboxId,
    recipientKeys: [mailboxId],
    name: null,
    provider: 'development',
    status: 'active',
    aliases: [],
    folders: [
      { id: `${mailboxId}-inbox`, name: 'Inbox', type: 'INBOX' },
      { id: `${mailboxId}-trash`, name: 'Trash', type: 'TRASH' },
    ],
    server: null,
    credentials: null,
    lastSyncedAt: null,
    createdAt: new Date(),
  };
}

/** A call of a handler without a socket. */
export function callOf(workspaceId: string): Call {
  return {
    workspaceId,
    requestId: 'test',
    operationId: 'test',
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    remainingMs: () => 10_000,
    log: silentLog,
  };
}

/** The code a call was refused with. */
export function codeOf(answer: Promise<unknown>): Promise<string | undefined> {
  return answer.then(
    () => 'no error',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}
