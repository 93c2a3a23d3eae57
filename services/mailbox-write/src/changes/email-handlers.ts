import { ApiError } from '@postroom/errors/api-error';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import { toMessageLabelRef } from '@postroom/mail-store/label-ref';
import type { EmailLabels } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import type { ChangedEmail } from './change-store.ts';
import { type EmailChange, type Flags, toOutboxEntry } from './email-change.ts';

/** The changes of one email. */
export function createEmailHandlers(parts: ChangeDeps) {
  const { emails, lookups, changes, relay } = parts;

  const make = async (change: EmailChange, call: Call): Promise<ChangedEmail | null> => {
    const changed = await emails.change(call.workspaceId, change, call);
    if (changed) relay.publishSoon([toOutboxEntry(change)]);
    return changed;
  };

  const labelsOf = async (email: ChangedEmail | null, call: Call): Promise<EmailLabels> => {
    const { labelIds } = email ?? missing('EMAIL_NOT_FOUND');
    return { labels: (await lookups.labels(call.workspaceId, labelIds, call)).map(toMessageLabelRef) };
  };

  return {
    async updateEmail({ emailId, isRead, isStarred }, call) {
      const wanted: Partial<Flags> = {
        ...(isRead !== undefined && { isRead }),
        ...(isStarred !== undefined && { isStarred }),
      };
      for (;;) {
        const email = (await emails.find(call.workspaceId, emailId, call)) ?? missing('NOT_FOUND');
        const current = flagsNamedIn(wanted, email);
        if (isSame(current, wanted)) return toMessageEmail(email);
        const homeOf = await lookups.homes(call.workspaceId, [email.mailboxId], call);
        // Every flag asked for must be as it was read, changed or not: else two callers could each win one half.
        const changed = await make(
          changes.marked(call.workspaceId, email, current, wanted, homeOf(email.mailboxId)),
          call,
        );
        if (changed) return toMessageEmail(changed);
        // Another call was faster. The deadline of the call ends this loop.
        call.signal.throwIfAborted();
      }
    },

    async deleteEmail({ emailId }, call) {
      const email = (await emails.find(call.workspaceId, emailId, call)) ?? missing('NOT_FOUND');
      if (email.folderType === 'TRASH') return {};
      const home = (await lookups.homes(call.workspaceId, [email.mailboxId], call))(email.mailboxId);
      if (home.trashFolderId === null) throw new ApiError('NO_TRASH_FOLDER');
      // When there is nothing left to change, another caller has moved the email to the trash, as requested.
      await make(changes.trashed(call.workspaceId, email, home.trashFolderId, home), call);
      return {};
    },

    async applyLabel({ emailId, labelId }, call) {
      const { email, label } = await requireBoth(parts, emailId, labelId, call);
      const changed = await make(changes.labelled(call.workspaceId, email, label), call);
      return labelsOf(changed ?? (await emails.find(call.workspaceId, emailId, call)), call);
    },

    async removeLabel({ emailId, labelId }, call) {
      const { email } = await requireBoth(parts, emailId, labelId, call);
      const changed = await make(changes.unlabelled(call.workspaceId, email, labelId), call);
      return labelsOf(changed ?? (await emails.find(call.workspaceId, emailId, call)), call);
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/** The email is answered for before the label, as the contract lists them. */
async function requireBoth({ emails, lookups }: ChangeDeps, emailId: string, labelId: string, call: Call) {
  const [email, label] = await Promise.all([
    emails.find(call.workspaceId, emailId, call),
    lookups.label(call.workspaceId, labelId, call),
  ]);
  return { email: email ?? missing('EMAIL_NOT_FOUND'), label: label ?? missing('LABEL_NOT_FOUND') };
}

function missing(code: 'NOT_FOUND' | 'EMAIL_NOT_FOUND' | 'LABEL_NOT_FOUND'): never {
  throw new ApiError(code);
}

function flagsNamedIn(wanted: Partial<Flags>, email: Flags): Partial<Flags> {
  const names = Object.keys(wanted) as (keyof Flags)[];
  return Object.fromEntries(names.map((name) => [name, email[name]]));
}

function isSame(one: Partial<Flags>, other: Partial<Flags>): boolean {
  return one.isRead === other.isRead && one.isStarred === other.isStarred;
}
