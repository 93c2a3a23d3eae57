import { ApiError } from '@postroom/errors/api-error';
import type { LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { BulkLabelRequest, BulkLabelResponse } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { EmailState } from './bulk-store.ts';
import type { ChangeDeps } from './change-deps.ts';
import { type EmailChange, toOutboxEntry } from './email-change.ts';

/** The changes of up to 500 emails; each id is answered once, in the order asked. */
export function createBulkHandlers(parts: ChangeDeps) {
  const { lookups, changes } = parts;

  return {
    async bulkMarkRead({ emailIds, isRead }, call) {
      const { known, unknownIds } = await readStates(parts, emailIds, call);
      const wrong = known.filter((email) => email.isRead !== isRead);
      const homeOf = await lookups.homes(call.workspaceId, mailboxesOf(wrong), call);
      const marks = wrong.map((email) =>
        changes.marked(call.workspaceId, email, { isRead: !isRead }, { isRead }, homeOf(email.mailboxId)),
      );
      const changed = await changeAll(parts, marks, call);
      const [updatedIds, unchangedIds] = split(idsOf(known), (id) => changed.has(id));
      return { updatedIds, unchangedIds, skippedIds: unknownIds };
    },

    async bulkDelete({ emailIds }, call) {
      const { known, unknownIds } = await readStates(parts, emailIds, call);
      const outside = known.filter(({ folderType }) => folderType !== 'TRASH');
      const homeOf = await lookups.homes(call.workspaceId, mailboxesOf(outside), call);
      const [movable, stuck] = split(outside, ({ mailboxId }) => homeOf(mailboxId).trashFolderId !== null);
      const moves = movable.map((email) => {
        const home = homeOf(email.mailboxId);
        return changes.trashed(call.workspaceId, email, home.trashFolderId ?? '', home);
      });
      const deleted = await changeAll(parts, moves, call);
      const noTrash = new Set(idsOf(stuck));
      const unknown = new Set(unknownIds);
      const asked = [...new Set(emailIds)];
      return {
        deletedIds: asked.filter((id) => deleted.has(id)),
        skippedIds: asked.filter((id) => unknown.has(id) || !(deleted.has(id) || noTrash.has(id))),
        noTrashIds: asked.filter((id) => noTrash.has(id)),
      };
    },

    bulkApplyLabel: (request, call) =>
      bulkLabel(parts, request, call, (email, label) =>
        email.labelIds.includes(label._id) ? null : changes.labelled(call.workspaceId, email, label),
      ),

    bulkRemoveLabel: (request, call) =>
      bulkLabel(parts, request, call, (email, label) =>
        email.labelIds.includes(label._id) ? changes.unlabelled(call.workspaceId, email, label._id) : null,
      ),
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

async function bulkLabel(
  parts: ChangeDeps,
  { emailIds, labelId }: BulkLabelRequest,
  call: Call,
  changeOf: (email: EmailState, label: LabelRefDocument) => EmailChange | null,
): Promise<BulkLabelResponse> {
  const label = await parts.lookups.label(call.workspaceId, labelId, call);
  if (!label) throw new ApiError('LABEL_NOT_FOUND');
  if (label.isAiLabel) throw new ApiError('INVALID_TAG');
  const { known, unknownIds } = await readStates(parts, emailIds, call);
  const changed = await changeAll(
    parts,
    known.flatMap((email) => changeOf(email, label) ?? []),
    call,
  );
  return { labelId, emailIds: idsOf(known), skippedIds: unknownIds, updatedCount: changed.size };
}

/** An id of another workspace is treated exactly like an unknown id. */
async function readStates({ bulk }: ChangeDeps, emailIds: string[], call: Call) {
  const asked = [...new Set(emailIds)];
  const states = new Map((await bulk.states(call.workspaceId, asked, call)).map((email) => [email._id, email]));
  return {
    known: asked.flatMap((emailId) => states.get(emailId) ?? []),
    unknownIds: asked.filter((emailId) => !states.has(emailId)),
  };
}

async function changeAll(
  { bulk, relay, context }: ChangeDeps,
  changes: EmailChange[],
  call: Call,
): Promise<Set<string>> {
  const changed = new Set(await bulk.changeMany(call.workspaceId, changes, context.ids('op'), call));
  relay.publishSoon(changes.filter(({ emailId }) => changed.has(emailId)).map(toOutboxEntry));
  return changed;
}

function split<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

const idsOf = (emails: EmailState[]) => emails.map(({ _id }) => _id);
const mailboxesOf = (emails: EmailState[]) => emails.map(({ mailboxId }) => mailboxId);
