import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { updateOf } from '../changes/change-update.ts';
import type { EmailChange } from '../changes/email-change.ts';
import { HANDOVER_PASS, removedKey } from '../location/location.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

type Fields = Record<string, unknown>;

/** The emails of one mailbox, and the store calls that synchronize it, as the database does them. */
export function memoryEmails(documents: readonly EmailDocument[]) {
  const emails = new Map(documents.map((email) => [email._id, email]));
  const bodies = new Set(emails.keys());
  const find = async (matches: (email: EmailDocument) => boolean) => [...emails.values()].filter(matches);
  const isTaken = ({ _id, messageKey }: EmailDocument) =>
    [...emails.values()].some((other) => other._id !== _id && other.messageKey === messageKey);

  const change = (one: EmailChange): boolean => {
    const before = emails.get(one.emailId);
    if (!before || !Object.entries(one.when).every(([path, wanted]) => isAs(before, path, wanted))) return false;
    const after = updated(before, updateOf(one) as Record<string, Fields>);
    if (isTaken(after)) return false;
    emails.set(after._id, after);
    return true;
  };

  const locations: Partial<ReconcileDeps['stores']['locations']> = {
    byKeys: (_workspaceId, _mailboxId, keys) => find(({ messageKey }) => keys.includes(messageKey)),
    byIds: (_workspaceId, _mailboxId, ids) => find(({ _id }) => ids.includes(_id)),
    byIdentity: (_workspaceId, _mailboxId, names) => find(({ identity }) => names.includes(identity)),
  };
  const goneBefore: ReconcileDeps['stores']['gone']['goneBefore'] = (_workspaceId, _mailboxId, pass) =>
    find(({ gone }) => gone !== undefined && gone.isSure && gone.round < pass);
  const stores = {
    locations,
    gone: { handedOver: () => find(isWaiting), goneBefore },
    bulk: {
      changeMany: async (_workspaceId: string, changes: EmailChange[]) =>
        changes.filter(change).map(({ emailId }) => emailId),
    },
    removals: {
      removeParts: async (_workspaceId: string, ids: string[]) => ids.forEach((id) => bodies.delete(id)),
      isUnneeded: async () => false,
      leaving: async (_workspaceId: string, ids: string[]) =>
        find(({ _id, messageKey }) => ids.includes(_id) && messageKey === removedKey(_id)),
      removeEmails: async (_workspaceId: string, ids: string[]) => ids.filter((id) => !emails.delete(id)),
    },
    lookups: { labels: async () => [] },
    pendingCopies: { remove: async () => undefined },
    leases: { epoch: async () => 1 },
  };
  return { stores: stores as unknown as ReconcileDeps['stores'], change, emails, bodies };
}

function isWaiting({ gone }: EmailDocument): boolean {
  return gone?.round === HANDOVER_PASS && gone.isHandedOver === true;
}

function isAs(email: EmailDocument, path: string, wanted: unknown): boolean {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Fields | undefined)?.[name], email);
  const { $exists, $ne } = (wanted ?? {}) as { $exists?: boolean; $ne?: unknown };
  if ($exists !== undefined) return (value !== undefined) === $exists;
  if ($ne !== undefined) return Array.isArray(value) ? !value.includes($ne) : value !== $ne;
  return JSON.stringify(value) === JSON.stringify(wanted);
}

/** With what an update of this service may say. */
function updated(email: EmailDocument, { $set, $unset, $max, $min, $push }: Record<string, Fields>): EmailDocument {
  const after = { ...email } as unknown as Fields;
  const put = (path: string, make: (value: unknown) => unknown) => {
    const [name, part] = path.split('.') as [string, string | undefined];
    const owner = part === undefined ? after : { ...(after[name] as Fields | undefined) };
    if (part !== undefined) after[name] = owner;
    const value = make(owner[part ?? name]);
    if (value === undefined) delete owner[part ?? name];
    else owner[part ?? name] = value;
  };
  for (const [path, value] of Object.entries({ ...$set, ...$max, ...$min })) put(path, () => value);
  for (const path of Object.keys($unset ?? {})) put(path, () => undefined);
  const each = ($push?.['labelIds'] as { $each?: string[] } | undefined)?.$each;
  if (each) put('labelIds', (labels) => [...(labels as string[]), ...each]);
  return after as unknown as EmailDocument;
}
