import type { Collections } from '@postroom/mail-store/collections';
import type { BodyDocument, EmailDocument, LocationPart } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import {
  type ApplyProviderChangesRequest,
  type ApplyProviderChangesResponse,
  type IncomingMessage,
  IngestRequest,
  type ProviderState,
  type CompletedChange,
  StoreOutgoingRequest,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import { randomIds } from '@postroom/runtime/ids';
import type { AtCall } from '../support/interleavings.ts';
import { callOf } from '../support/change-world.ts';
import { openTestDatabase } from '../support/mail-database.ts';
import { type MessageParts, rawMessage } from '../support/message.ts';
import { mailProcess, type MailProcess } from './mail-process.ts';

const TYPES = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFTS',
  spam: 'SPAM',
  trash: 'TRASH',
  archive: 'OTHER',
} as const;
export type FolderName = keyof typeof TYPES;
const atOnce: AtCall = (_, call) => call();

interface Arriving extends Partial<
  Pick<IncomingMessage, 'raw' | 'isRead' | 'isStarred' | 'isHistory' | 'providerLabels'>
> {
  folder?: FolderName;
  uid: number;
  uidValidity?: number;
  providerId?: string;
  shownIn?: FolderName;
  /** Of the message, where it is not the usual one. */
  messageId?: string;
  from?: string;
  to?: string;
  subject?: string;
  text?: string;
}

export type MailboxWorld = Awaited<ReturnType<typeof openMailboxWorld>>;
export type MailboxAtProvider = Awaited<ReturnType<MailboxWorld['mailbox']>>;

/** Mailboxes whose provider says what the tests want it to say. */
export async function openMailboxWorld() {
  const database = await openTestDatabase();
  const { collections } = database;
  return {
    collections,
    mailbox: async (parts: Partial<MailboxDocument> = {}) =>
      openMailbox(collections, await createMailbox(collections, parts)),
    close: () => database.close(),
  };
}

async function createMailbox(collections: Collections, parts: Partial<MailboxDocument>): Promise<MailboxDocument> {
  const [workspaceId, mailboxId] = [randomIds('wsp'), randomIds('mbx')];
  const mailbox: MailboxDocument = {
    _id: mailboxId,
    workspaceId,
    email: 'bob@example.com',
    emailKey: mailboxId,
    recipientKeys: [mailboxId],
    name: null,
    provider: 'imap',
    status: 'active',
    aliases: [],
    folders: Object.entries(TYPES).map(([id, type]) => ({ id, name: id, type, path: id, delimiter: '/' })),
    server: null,
    credentials: null,
    lastSyncedAt: null,
    outbox: {},
    createdAt: new Date(),
    ...parts,
  };
  await collections.mailboxes.create([mailbox]);
  return mailbox;
}

function openMailbox(collections: Collections, mailbox: MailboxDocument) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const calm = mailProcess(collections, atOnce);
  const passes = { now: 1 };
  const call = callOf(workspaceId);
  const now = () => new Date().toISOString();

  return {
    mailbox,
    calm,
    /** A scene keeps values here that its acts need. */
    noted: [] as string[],
    process: (at: AtCall) => mailProcess(collections, at),
    ...providerSays({ mailboxId, passes, call, calm }),
    arrive: (one: Arriving, process = calm) => process.ingest(mailbox, [toMessage(one)]),
    arriveTogether: (several: readonly Arriving[]) => calm.ingest(mailbox, several.map(toMessage)),
    /** Ingests under this epoch of the mailbox lease. */
    arriveUnder: (epoch: number, one: Arriving, process = calm) =>
      process.handlers.ingest(IngestRequest.fromPartial({ mailboxId, epoch, messages: [toMessage(one)] }), call),
    /** Another process holds the mailbox from now on. */
    takeOver: (epoch: number) => {
      const until = new Date(Date.now() + 20_000);
      const lease = { _id: mailboxId, workspaceId, owner: 'other', epoch, until, wantedAt: null, round: 0 };
      return collections.mailboxLeases.create([lease]);
    },
    /** Changes flags as a caller of the API does. */
    update: (emailId: string, flags: { isRead?: boolean; isStarred?: boolean }, process = calm) =>
      process.handlers.updateEmail({ emailId, isRead: undefined, isStarred: undefined, ...flags }, call),
    trash: (emailId: string, process = calm) => process.handlers.deleteEmail({ emailId }, call),
    /** A message that is made here, once for each call. */
    make: ({ draftId, announcesDraftSent = false, operationId = randomIds('opn'), ...parts }: Making, process = calm) =>
      process.handlers.storeOutgoing(
        StoreOutgoingRequest.fromPartial({
          mailboxId,
          ...(draftId !== undefined && { draftId }),
          folderType: parts.folderType,
          raw: rawMessage({ date: SENT_AT, ...parts }).raw,
          source: 'api',
          announcesDraftSent,
        }),
        { ...call, operationId },
      ),
    forget: (folderId: FolderName, uidValidity: number) =>
      calm.handlers.forgetLocations({ mailboxId, folderId, uidValidity, pass: passes.now, epoch: 1 }, call),
    complete: (changes: Completing[], process = calm) => {
      const whole = changes.map((one) => ({ location: undefined, refused: undefined, at: now(), ...one }));
      return process.handlers.completeProviderChanges({ mailboxId, pass: passes.now, epoch: 1, changes: whole }, call);
    },
    finishPasses: async (count: number, process = calm) => {
      for (const end = passes.now + count; passes.now < end; passes.now += 1)
        await process.handlers.finishPass({ mailboxId, pass: passes.now, epoch: 1 }, call);
    },
    ...whatIsThere(collections, mailboxId),
  };
}

interface Making extends MessageParts {
  folderType: 'SENT' | 'DRAFTS' | 'INBOX';
  draftId?: string;
  announcesDraftSent?: boolean;
  operationId?: string;
}

type Completing = Partial<CompletedChange> & Pick<CompletedChange, 'emailId' | 'changeIds'>;

interface Saying {
  mailboxId: string;
  passes: { now: number };
  call: Call;
  calm: MailProcess;
}

function providerSays({ mailboxId, passes, call, calm }: Saying) {
  const said = (process: MailProcess, request: Partial<ApplyProviderChangesRequest> & { folderId: string }) => {
    const whole = { ...nothingSaid, at: new Date().toISOString(), ...request, mailboxId, pass: passes.now };
    return process.handlers.applyProviderChanges(whole, call);
  };
  return {
    gone: (folderId: FolderName, uid: number, process = calm) => said(process, { folderId, goneUids: [uid] }),
    state: (
      folderId: FolderName,
      state: Partial<ProviderState> & { uid: number },
      { process = calm, ...parts }: { at?: string; epoch?: number; process?: MailProcess } = {},
    ) => {
      const whole = { isRead: false, isStarred: false, labels: [], folderId: undefined, ...state };
      return said(process, { folderId, states: [whole], ...parts });
    },
    /** That these are read. */
    read: (folderId: FolderName, uids: number[]) => {
      const states = uids.map((uid) => ({ uid, isRead: true, isStarred: false, labels: [], folderId: undefined }));
      return said(calm, { folderId, states });
    },
    /** All that a folder holds. */
    listed: (
      folderId: FolderName,
      uids: number[],
      { uidValidity = 1, isTakenIn = true } = {},
    ): Promise<ApplyProviderChangesResponse> => {
      const ranges = uids.map((uid) => ({ first: uid, last: uid }));
      return said(calm, { folderId, uidValidity, isCompleteListing: true, isTakenIn, uids: ranges });
    },
  };
}

function whatIsThere(collections: Collections, mailboxId: string) {
  const { emails, bodies, threadLinks } = collections;
  return {
    /** Clears the outbox as the relay does after it has published the events. */
    publish: () => emails.updateMany({ mailboxId }, { $set: { outbox: {} }, $unset: { owedSince: '' } }),
    emails: () => emailsOf(collections, mailboxId),
    shown: async () => (await emailsOf(collections, mailboxId)).map(shownOf),
    /** The types of the pending events, those of removed emails too. */
    told: async () => {
      const removed = await collections.removedEmails.find({ mailboxId }).lean<Pick<EmailDocument, 'outbox'>[]>();
      const outboxes = [...(await emailsOf(collections, mailboxId)), ...removed].map(({ outbox }) => outbox);
      return outboxes.flatMap((outbox) => Object.values(outbox).map(({ type }) => type));
    },
    bodyOf: async (emailId: string) => (await bodies.findOne({ _id: emailId }).lean<BodyDocument | null>())?.text,
    leftovers: async () => ({
      bodies: await bodies.countDocuments({ mailboxId }),
      threadLinks: await threadLinks.countDocuments({ mailboxId }),
    }),
  };
}

const SENT_AT = '2026-01-02T03:04:05Z';
const nothingSaid = {
  uidValidity: 1,
  states: [],
  goneUids: [],
  isCompleteListing: false,
  uids: [],
  isTakenIn: false,
  epoch: 1,
};

/** The same message unless another one is given. */
export function toMessage({
  folder = 'inbox',
  uid,
  uidValidity = 1,
  shownIn,
  messageId = '<one@sender.example>',
  from,
  to,
  subject,
  text,
  ...parts
}: Arriving): Partial<IncomingMessage> {
  const location: LocationPart = { folderId: folder, uidValidity, uid };
  return {
    sourceKey: `${folder}:${uidValidity}:${uid}`,
    raw: rawMessage({
      date: SENT_AT,
      messageId,
      ...(from && { from }),
      ...(to && { to }),
      ...(subject && { subject }),
      ...(text && { text }),
    }).raw,
    location,
    ...(shownIn && { folderId: shownIn }),
    ...parts,
  };
}

function emailsOf(collections: Collections, mailboxId: string): Promise<EmailDocument[]> {
  return collections.emails.find({ mailboxId }).sort({ receivedAt: 1, _id: 1 }).lean<EmailDocument[]>();
}

function shownOf({ _id, folderId, place: location, outbox }: EmailDocument) {
  return { id: _id, folder: folderId, uid: location?.uid, events: Object.values(outbox).map(({ type }) => type) };
}
