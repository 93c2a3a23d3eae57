import { createHash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { ErrorCode } from '@postroom/errors/catalogue';
import type { ReplacementPart, SendDocument } from '@postroom/mail-store/documents/send';
import { StoreOutgoingRequest, type MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { ReplaceDraftRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { compose } from '../compose/compose.ts';
import type { Composition } from '../compose/composition.ts';
import { messageIdOf } from '../compose/build-composition.ts';
import { inFairOrder } from '../compose/fair-order.ts';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import { newSend } from '../new-send/new-send.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { isOneAgain, MAY_BEGIN_AGAIN, type operationOf } from './draft-operation.ts';
import { endReplyOfGone, type LoadedDraft } from './load-draft.ts';

export interface ReplaceDraftDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: Pick<SendStore, 'advance' | 'find' | 'insert' | 'takeUp'>;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing' | 'discardDraft'>;
  mailReader: Pick<MailReaderStore, 'shown'>;
}

interface Edit {
  request: ReplaceDraftRequest;
  operation: ReturnType<typeof operationOf>;
  /** As it was read before the draft. */
  known: SendDocument | null;
  load: () => Promise<LoadedDraft>;
}

/** Whether an earlier call of this edit has begun to replace the draft. */
const isReplacedBy = (request: ReplaceDraftRequest, send: SendDocument): boolean =>
  isOneAgain(send) && send.replacement?.operation === idOfEdit(request);

/**
 * Stores another draft in the place of this one, as mail programs do. The send of the draft before names the edit, then
 * the draft before goes to the trash, and then its send ends. Only the second step can be refused, and then an approval
 * waits as before. A send marks its draft when it begins, so of an edit and a send at the same time only one succeeds.
 * A repeat of the edit goes on where the first call ended. The id of the new draft.
 */
export async function replaceDraft(
  { request, operation, known, load }: Edit,
  call: Call,
  deps: ReplaceDraftDeps,
): Promise<string> {
  if (known?.replacement && isReplacedBy(request, known)) return repeat(request, known, known.replacement, call, deps);
  const loaded = await load();
  const { workspaceId } = call;
  const operationId = idOfEdit(request);
  const { kept: raw } = await inFairOrder(workspaceId, () =>
    compose(edited(loaded.composition, request, operationId, deps)),
  );
  const draft = { mailboxId: loaded.mailbox._id, folderType: 'DRAFTS', raw, source: 'api' };
  const made = await deps.mailboxWrite.storeOutgoing(StoreOutgoingRequest.create(draft), { workspaceId, operationId });
  const replacement = { operation: operationId, draftId: made.id, isDone: false };
  const send = await claimSend({ operation, known, loaded, replacement }, deps);
  if (!send) throw keptApart(MEANWHILE, made.id);
  const draftId = await finish({ request, send, replacement, isRepeat: false }, call, deps);
  await endReplyOfGone(loaded.draft, call, deps);
  return draftId;
}

const idOfEdit = (request: ReplaceDraftRequest): string =>
  `edit ${request.draftId} ${createHash('sha256').update(JSON.stringify(request)).digest('hex')}`;

interface Claimed {
  loaded: LoadedDraft;
  replacement: ReplacementPart;
}

/** The repeat of a call whose answer was lost takes the edit over, so that of two such calls one goes on. */
async function repeat(
  request: ReplaceDraftRequest,
  known: SendDocument,
  replacement: ReplacementPart,
  call: Call,
  deps: ReplaceDraftDeps,
): Promise<string> {
  if (replacement.isDone) return replacement.draftId;
  const send = await deps.sends.takeUp(call.workspaceId, known, MAY_BEGIN_AGAIN, { replacement });
  if (!send) throw keptApart(MEANWHILE, replacement.draftId);
  return finish({ request, send, replacement, isRepeat: true }, call, deps);
}

interface Begun {
  request: Pick<ReplaceDraftRequest, 'draftId' | 'seenDate'>;
  send: SendDocument;
  replacement: ReplacementPart;
  isRepeat: boolean;
}

/** A refused edit is forgotten, so that its repeat is refused too. */
async function finish(
  { request: { draftId, seenDate }, send, replacement, isRepeat }: Begun,
  call: Call,
  { mailboxWrite, sends, mailReader }: ReplaceDraftDeps,
): Promise<string> {
  const { workspaceId } = call;
  try {
    await mailboxWrite.discardDraft({ draftId, seenDate }, { workspaceId });
  } catch (error) {
    const what = error instanceof ApiError ? REFUSALS[error.code] : undefined;
    if (what === undefined) throw error;
    const isGone = isRepeat && (error as ApiError).code === 'DRAFT_NOT_FOUND';
    // The first call of this edit may have thrown it away before its process ended, or its reply has left since.
    const wasSent = isGone && (await mailReader.shown(workspaceId, draftId, call))?.isDraft === false;
    if (!isGone || wasSent) {
      await sends.advance(workspaceId, send, MAY_BEGIN_AGAIN, { replacement: null });
      throw keptApart(what, replacement.draftId);
    }
  }
  // A call that has read the send before cannot take it up any more, and forget the edit.
  const done = { ...ENDED, replacement: { ...replacement, isDone: true } };
  const ended = await sends.takeUp(workspaceId, send, MAY_BEGIN_AGAIN, done);
  // The worker finds no draft and cancels the send where its approval was decided meanwhile.
  const left = ended ?? (await sends.find(workspaceId, send._id));
  if (left?.replacement?.operation !== replacement.operation) throw keptApart(MEANWHILE, replacement.draftId);
  return replacement.draftId;
}

const MEANWHILE = 'Somebody else sent or changed this draft meanwhile.';
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  NO_TRASH_FOLDER: 'This mailbox has no trash, so the draft before your change is still there.',
  CONFLICT: MEANWHILE,
  DRAFT_NOT_FOUND: MEANWHILE,
};

const keptApart = (what: string, draftId: string): ApiError =>
  new ApiError('CONFLICT', { message: `${what} Your text is kept as a draft of its own.`, details: { draftId } });

/** The recipients keep the names that they had. */
function edited(
  before: Composition,
  { to, cc, bcc, subject, text }: ReplaceDraftRequest,
  operationId: string,
  { context }: ReplaceDraftDeps,
): Composition {
  const names = new Map([...before.to, ...before.cc, ...before.bcc].map(({ email, name }) => [email, name]));
  const named = (addresses: readonly string[]) => addresses.map((email) => ({ email, name: names.get(email) ?? null }));
  const messageId = messageIdOf(operationId, before.from.email);
  const recipients = { to: named(to), cc: named(cc), bcc: named(bcc) };
  return { ...before, ...recipients, messageId, date: context.clock.date(), subject, text, html: null };
}

const ENDED = { state: 'canceled', nextAt: null, lastError: 'the draft was changed', wire: null, kept: null } as const;

/** A draft without a send gets one that has ended. Null where a call that read the draft before sends or replaces it. */
async function claimSend(
  { operation, known, loaded, replacement }: Pick<Edit, 'operation' | 'known'> & Claimed,
  { sends }: Pick<ReplaceDraftDeps, 'sends'>,
): Promise<SendDocument | null> {
  const { composition, mailbox, fingerprint, draft } = loaded;
  if (known) return sends.takeUp(known.workspaceId, known, MAY_BEGIN_AGAIN, { replacement });
  const said = { kind: 'send', mailboxId: mailbox._id, fingerprint, draftId: draft._id } as const;
  const ended = { ...(await newSend(operation, composition, { ...said, nextAt: null })), ...ENDED, replacement };
  return (await sends.insert(operation.workspaceId, ended)) ? ended : null;
}
