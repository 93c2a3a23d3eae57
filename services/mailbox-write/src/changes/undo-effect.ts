import { ApiError } from '@postroom/errors/api-error';
import { recentEffects, undoneOf, whyDraftStays, whyLabelStays } from '@postroom/mail-store/effect-state';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import { type EmailChange, toOutboxEntry } from './email-change.ts';

interface Undo {
  actorId: string;
  emailId: string;
  effectId: string;
}

/**
 * Undoes an effect of a rule in one write, which holds only while the email is as the effect left it. So a crash leaves the
 * state before or after it.
 */
export function createUndoHandler(deps: ChangeDeps) {
  return {
    async undoEffect(undo, call) {
      for (;;) {
        const change = await inverseOf(undo, deps, call);
        if (!change) return {};
        if (await deps.emails.change(call.workspaceId, change, call)) {
          deps.relay.publishSoon([toOutboxEntry(change)]);
          return {};
        }
        // Another call has changed the email. The deadline of the call ends this loop.
        call.signal.throwIfAborted();
      }
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/** Null where it is undone already. */
async function inverseOf(undo: Undo, deps: ChangeDeps, call: Call): Promise<EmailChange | null> {
  const { actorId, emailId, effectId } = undo;
  const { effects, changes, context } = deps;
  const email = await effects.email(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('EMAIL_NOT_FOUND');
  const effect = recentEffects(email, context.clock.date()).find(({ id }) => id === effectId);
  if (!effect) return inverseOfDraft(undo, email, deps, call);
  if (undoneOf(email, effectId)) return null;
  refuseWith(whyLabelStays(email, effect));
  return changes.takenBack(call.workspaceId, email, effect, actorId);
}

async function inverseOfDraft(
  { actorId, effectId }: Undo,
  email: { _id: string; mailboxId: string },
  { effects, lookups, changes }: ChangeDeps,
  call: Call,
): Promise<EmailChange | null> {
  const { workspaceId } = call;
  const draft = await effects.draft(workspaceId, email, call);
  if (draft?._id !== effectId) throw new ApiError('NOT_FOUND', { message: 'This email has no such effect of a rule.' });
  if (undoneOf(draft, effectId)) return null;
  refuseWith(whyDraftStays(draft));
  const home = (await lookups.homes(workspaceId, [draft.mailboxId], call))(draft.mailboxId);
  if (home.trashFolderId === null) throw new ApiError('NO_TRASH_FOLDER');
  return changes.discarded(workspaceId, draft, home.trashFolderId, home, actorId);
}

function refuseWith(message: string | null): void {
  if (message !== null) throw new ApiError('CONFLICT', { message });
}
