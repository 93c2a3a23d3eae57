import { ApiError } from '@postroom/errors/api-error';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import { type EmailChange, type SeenDraft, toOutboxEntry } from './email-change.ts';

/**
 * Throws a draft away in one write, which holds only while the draft is as it was read. A send shows on its draft that it
 * begins, so that of the two only one is done.
 */
export function createDiscardHandler({ emails, lookups, changes, relay }: ChangeDeps) {
  return {
    async discardDraft({ draftId, seenDate }, call) {
      const { workspaceId } = call;
      for (;;) {
        const draft = await emails.find(workspaceId, draftId, call);
        if (!draft?.isDraft || draft.folderType !== 'DRAFTS') throw isGone();
        if (draft.scheduledStatus === 'sending') throw conflict('This draft is leaving now, or has left already.');
        if (draft.date.toISOString() !== seenDate)
          throw conflict('This draft was changed after you opened it. Read it again first.');
        const home = (await lookups.homes(workspaceId, [draft.mailboxId], call))(draft.mailboxId);
        if (home.trashFolderId === null) throw new ApiError('NO_TRASH_FOLDER');
        const change = asSeen(draft, changes.trashed(workspaceId, draft, home.trashFolderId, home));
        if (await emails.change(workspaceId, change, call)) {
          relay.publishSoon([toOutboxEntry(change)]);
          return {};
        }
        // Another call has changed the draft. The deadline of the call ends this loop.
        call.signal.throwIfAborted();
      }
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/** The schedule of a draft that a rule prepared ends in the same write. */
function asSeen(
  { date, scheduledStatus }: Pick<SeenDraft, 'date' | 'scheduledStatus'>,
  { set, ...trashed }: EmailChange,
): EmailChange {
  const over = scheduledStatus === null ? {} : { scheduledStatus: 'canceled' as const, scheduledSendAt: null };
  const when: SeenDraft = { isDraft: true, folderType: 'DRAFTS', date, scheduledStatus };
  return { ...trashed, when, set: { ...set, ...over } };
}

const conflict = (message: string): ApiError => new ApiError('CONFLICT', { message });

const isGone = (): ApiError =>
  new ApiError('DRAFT_NOT_FOUND', { message: 'This draft was sent, changed or thrown away meanwhile.' });
