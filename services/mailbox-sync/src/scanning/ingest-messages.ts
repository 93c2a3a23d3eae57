import { isUnavailable } from '@postroom/errors/unavailable';
import { boundedLabels } from '@postroom/mail-store/email-bounds';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { DescribedAttachments, IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { ImapFault } from '../imap/imap-fault.ts';
import type { MessageFacts } from '../imap/imap-connection.ts';
import { batchesOf } from './batches.ts';
import { shownIn } from '../folders/gmail.ts';
import { LeaseLost } from '../leases/lease-lost.ts';
import type { FolderState, Session } from '../session/session.ts';

const MEGABYTE = 1024 * 1024;
const BATCH = { count: 200, bytes: 4 * MEGABYTE };
/** Of a larger message only the beginning is taken in: its headers, its text and what is attached first. */
const LARGEST = LARGEST_MESSAGE;
/** It is in memory twice: as it came and as it is handed on. */
export const COPIES = 2;
const weightOf = (batch: readonly MessageFacts[]) => batch.reduce((sum, { size }) => sum + Math.min(size, LARGEST), 0);

interface IngestOptions {
  /** After each batch that is stored, in the order in which they were asked for. */
  onStored(uids: readonly number[]): Promise<void>;
  isHistory(message: MessageFacts): boolean;
}

/** Ingests messages of the open folder, in the order of these UIDs. Messages that vanished meanwhile are skipped. */
export async function ingestMessages(
  session: Session,
  state: FolderState,
  uids: readonly number[],
  how: IngestOptions,
): Promise<void> {
  const { connection, deps, lease } = session;
  const at = deps.context.clock.date();
  const found = new Map<number, MessageFacts>();
  for await (const facts of connection.facts(uids)) found.set(facts.uid, facts);
  const messages = uids.flatMap((uid) => found.get(uid) ?? []);
  for (const batch of batchesOf(messages, BATCH)) {
    const stay = await deps.bytes.enter(COPIES * weightOf(batch), lease.workspaceId, session.stopped);
    try {
      await ingestBatch(session, state, batch, { ...how, at, isWanted: stay.isWanted });
    } finally {
      stay.leave();
    }
    deps.taken.add(batch.length);
    await how.onStored(batch.map(({ uid }) => uid));
  }
}

interface Taking extends Pick<IngestOptions, 'isHistory'> {
  at: Date;
  isWanted(): boolean;
}

/** The way of an email begins here: one trace from the mail server on. */
async function ingestBatch(
  session: Session,
  state: FolderState,
  batch: readonly MessageFacts[],
  { at, ...how }: Taking,
): Promise<void> {
  const { tracing } = session.deps.context;
  await tracing.withSpan('take in', { 'imap.messages': batch.length }, undefined, async () => {
    const fetching = () => fetchBatch(session, state, batch, how);
    const incoming = await tracing.withSpan('imap fetch', {}, undefined, fetching, 'client');
    if (incoming.length > 0) await handOn(session, incoming, at);
  });
}

/** A message may have ended the process that was taking it in, so a call says whether it is a repeat of such a call. */
async function handOn({ writer, deps: { unanswered } }: Session, messages: IncomingMessage[], at: Date): Promise<void> {
  const isRepeat = messages.some(({ sourceKey }) => unanswered.has(sourceKey));
  for (const { sourceKey } of messages) unanswered.add(sourceKey);
  const answered = () => {
    for (const { sourceKey } of messages) unanswered.delete(sourceKey);
  };
  try {
    await writer.ingest(messages, at, isRepeat);
    answered();
  } catch (error) {
    if (!isRepeat && (error instanceof LeaseLost || isUnavailable(error))) answered();
    throw error;
  }
}

async function fetchBatch(
  session: Session,
  { folder, sync }: FolderState,
  batch: readonly MessageFacts[],
  { isHistory, isWanted }: Omit<Taking, 'at'>,
): Promise<IncomingMessage[]> {
  const { connection, labelFolders } = session;
  const uidValidity = sync?.uidValidity ?? 0;
  const facts = new Map(batch.map((message) => [message.uid, message]));
  const incoming: IncomingMessage[] = [];
  const uids = [...facts.keys()];
  const described = await describeLarge(session, folder.id, uidValidity, batch);
  const most = { each: LARGEST, all: COPIES * weightOf(batch), isWanted };
  for await (const { uid, raw } of connection.sources(uids, most)) {
    const message = facts.get(uid);
    if (!message) continue;
    incoming.push({
      sourceKey: `imap:${folder.id}:${uidValidity}:${uid}`,
      raw,
      folderType: folder.type,
      providerId: message.emailId ?? undefined,
      providerThreadId: undefined,
      providerLabels: boundedLabels(message.labels),
      isRead: message.isRead,
      isStarred: message.isStarred,
      receivedAt: message.internalDate?.toISOString(),
      isHistory: isHistory(message),
      location: { folderId: folder.id, uidValidity, uid },
      folderId: shownIn(labelFolders, folder, message.labels),
      described: described.get(uid),
    });
  }
  return incoming;
}

/**
 * The attachments of the messages of which the beginning alone is fetched. A provider whose description breaks the
 * connection is not asked for that one again, so that the message is taken in all the same.
 */
async function describeLarge(
  { connection, deps: { undescribed } }: Session,
  folderId: string,
  uidValidity: number,
  batch: readonly MessageFacts[],
): Promise<Map<number, DescribedAttachments>> {
  const described = new Map<number, DescribedAttachments>();
  for (const { uid, size } of batch) {
    const name = `${folderId}:${uidValidity}:${uid}`;
    if (size <= LARGEST || undescribed.has(name)) continue;
    undescribed.add(name);
    const items = await connection.attachments(uid).catch(noneIfRefused);
    if (items) described.set(uid, { items });
    undescribed.delete(name);
  }
  return described;
}

function noneIfRefused(error: unknown): null {
  if (error instanceof ImapFault && error.kind === 'failed') return null;
  throw error;
}
