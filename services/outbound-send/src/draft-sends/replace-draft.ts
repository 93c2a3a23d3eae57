import { createHash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { ErrorCode } from '@postroom/errors/catalogue';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { StoreOutgoingRequest, type MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { ReplaceDraftRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { compose } from '../compose/compose.ts';
import type { Composition } from '../compose/composition.ts';
import { messageIdOf } from '../compose/composition-of.ts';
import { inFairOrder } from '../compose/fair-order.ts';
import { newSend } from '../new-send/new-send.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { MAY_BEGIN_AGAIN, type operationOf } from './draft-operation.ts';
import type { LoadedDraft } from './load-draft.ts';

export interface ReplaceDraftDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: Pick<SendStore, 'insert' | 'takeUp'>;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing' | 'discardDraft'>;
}

interface Replaced {
  operation: ReturnType<typeof operationOf>;
  /** As it was read before the draft. */
  known: SendDocument | null;
  loaded: LoadedDraft;
}

/**
 * Stores another draft in the place of this one, as mail programs do. The draft before goes to the trash, and its send
 * ends, so that of an edit and a send at the same time only one succeeds. The id of the new draft.
 */
export async function replaceDraft(
  request: ReplaceDraftRequest,
  { operation, known, loaded }: Replaced,
  call: Call,
  deps: ReplaceDraftDeps,
): Promise<string> {
  const { mailboxWrite } = deps;
  const { workspaceId } = call;
  const { draftId } = request;
  const operationId = `edit ${draftId} ${createHash('sha256').update(JSON.stringify(request)).digest('hex')}`;
  const { kept: raw } = await inFairOrder(workspaceId, () =>
    compose(edited(loaded.composition, request, operationId, deps)),
  );
  const draft = { mailboxId: loaded.mailbox._id, folderType: 'DRAFTS', raw, source: 'api' };
  const made = await mailboxWrite.storeOutgoing(StoreOutgoingRequest.create(draft), { workspaceId, operationId });
  const seenDate = loaded.draft.date.toISOString();
  await mailboxWrite.discardDraft({ draftId, seenDate }, { workspaceId }).catch(refusedAs(made.id));
  if (!(await endSend({ operation, known, loaded }, deps))) throw keptApart(MEANWHILE, made.id);
  return made.id;
}

const MEANWHILE = 'Somebody else sent or changed this draft meanwhile.';
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  NO_TRASH_FOLDER: 'This mailbox has no trash, so the draft before your change is still there.',
  CONFLICT: MEANWHILE,
  DRAFT_NOT_FOUND: MEANWHILE,
};

const refusedAs =
  (draftId: string) =>
  (error: unknown): never => {
    const what = error instanceof ApiError ? REFUSALS[error.code] : undefined;
    throw what === undefined ? error : keptApart(what, draftId);
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

/** False where a call that read the draft before has begun to send it, or has replaced it. */
async function endSend({ operation, known, loaded }: Replaced, { sends }: ReplaceDraftDeps): Promise<boolean> {
  const { composition, mailbox, fingerprint, draft } = loaded;
  const over = { state: 'canceled', nextAt: null } as const;
  const said = { kind: 'send', mailboxId: mailbox._id, fingerprint, draftId: draft._id, ...over } as const;
  if (known) {
    const change = { ...over, lastError: 'the draft was changed', wire: null, kept: null };
    return (await sends.takeUp(known.workspaceId, known, MAY_BEGIN_AGAIN, change)) !== null;
  }
  const ended = await newSend(operation, composition, said);
  return sends.insert(operation.workspaceId, { ...ended, wire: null, kept: null, lastError: 'the draft was changed' });
}
