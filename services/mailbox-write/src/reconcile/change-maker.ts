import type { EmailDocument, PendingChange, ProviderChanges } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { asRead, PENDING_CHANGE_NAMES, type EmailAsRead } from '../changes/email-as-read.ts';
import { type AppliedLabel, createMakers, type EmailChange } from '../changes/email-change.ts';
import { nodeName } from '../threads/thread-node.ts';
import type { ChangeFromProvider, PendingChangeName } from './changes-from-provider.ts';

export type MakeChange = ReturnType<typeof createChangeMaker>;

/** Makes a change of what comes from a provider: it is written only while the email is as it was read. */
export function createChangeMaker({ ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>) {
  const { change } = createMakers({ ids, clock });
  const addPending = (to: unknown): PendingChange<unknown> => ({ id: ids('chg'), to, at: clock.date() });

  const eventsOf = createEventsOf({ ids, clock });

  return (
    workspaceId: string,
    email: EmailAsRead,
    fromProvider: ChangeFromProvider,
    labels: readonly AppliedLabel[] = [],
  ): EmailChange => {
    const { set = {}, unset = [], done = {}, pending = {}, labelsAdded = [] } = fromProvider;
    const completed = (Object.keys(done) as PendingChangeName[]).filter((name) => !(name in pending));
    const isLeft = PENDING_CHANGE_NAMES.some(
      (name) => name in pending || (email.providerChanges[name] && !completed.includes(name)),
    );
    return change(email, {
      when: asRead(email),
      set: { ...set, ...ofThread(email, set.folderType) },
      unset: [
        ...unset,
        ...completed.map((name) => `providerChanges.${name}`),
        ...(completed.length > 0 && !isLeft ? ['providerChangesSince'] : []),
      ],
      confirmed: Object.fromEntries(Object.entries(done).filter(([, at]) => at !== null)) as Record<
        PendingChangeName,
        Date
      >,
      labelsAdded,
      provider: Object.fromEntries(
        Object.entries(pending).map(([name, to]) => [name, addPending(to)]),
      ) as ProviderChanges,
      events: eventsOf(
        workspaceId,
        email,
        set,
        labels.filter(({ _id }) => labelsAdded.includes(_id)),
      ),
    });
  };
}

/** Mail that goes into Spam or comes out of it ties other things together than before. */
function ofThread({ _id, folderType, threadKey, messageId }: EmailAsRead, to = folderType): Partial<EmailDocument> {
  if (threadKey === '' || (folderType === 'SPAM') === (to === 'SPAM')) return {};
  return { threadKey: nodeName(messageId, _id, to === 'SPAM'), isUnsettled: true };
}

/** The events of a change by its provider. */
function createEventsOf(context: Pick<ServiceContext, 'ids' | 'clock'>) {
  const { event, applied } = createMakers(context);
  return (
    workspaceId: string,
    email: EmailAsRead,
    set: Partial<EmailDocument>,
    labels: readonly AppliedLabel[],
  ): EmailChange['events'] => {
    const { _id: emailId, mailboxId } = email;
    const flags = (['isRead', 'isStarred'] as const).filter((name) => (set[name] ?? email[name]) !== email[name]);
    const { folderId = email.folderId, folderType = email.folderType } = set;
    const isTrashed = folderType === 'TRASH' && email.folderType !== 'TRASH';
    const isMoved = folderId !== email.folderId && !isTrashed;
    const updated = (name: 'isRead' | 'isStarred') =>
      event(workspaceId, 'email.updated', { emailId, mailboxId, changes: { [name]: set[name] } });
    return {
      ...Object.fromEntries(flags.map((name) => [name, updated(name)])),
      ...(isTrashed && { deleted: event(workspaceId, 'email.deleted', { emailId, mailboxId }) }),
      ...(isMoved && { moved: event(workspaceId, 'email.moved', { emailId, mailboxId, folderId, folderType }) }),
      ...applied(workspaceId, email, labels),
    };
  };
}
