import type {
  PendingChange,
  PendingCopyDocument,
  LocationPart,
  ProviderChanges,
} from '@postroom/mail-store/documents/email';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import type { PendingCopyStore } from './pending-copy-store.ts';
import { folderOf } from '../ingest/email-document.ts';
import type { OwnMail } from './own-mail.ts';

export interface Append {
  pending: PendingChange<string>;
  copy: PendingCopyDocument;
}

const DAY_MS = 86_400_000;
/** A provider that cannot be reached for so long gets it no more. */
const KEPT_MS = 30 * DAY_MS;

export type PendingCopies = ReturnType<typeof createPendingCopies>;

export interface PendingCopyDeps {
  stores: { pendingCopies: PendingCopyStore };
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** The copies of local messages that a provider is to get, or to remove. */
export function createPendingCopies({ stores, context }: PendingCopyDeps) {
  /** It is stored before it is pending, so that its carrier finds it. */
  const withCopy = async (what: OwnMail, call: Call): Promise<OwnMail & { append: Append | null }> => {
    const append = appendOf(what, call, context.clock.date());
    if (!append) return { ...what, append };
    await stores.pendingCopies.keep(call.workspaceId, append.copy);
    const { incoming } = what.arrival;
    const outgoing = incoming.outgoing && { ...incoming.outgoing, append: append.pending };
    return { ...what, append, arrival: { ...what.arrival, incoming: { ...incoming, ...(outgoing && { outgoing }) } } };
  };
  const forget = async (call: Call, pending: PendingChange<string> | undefined): Promise<void> => {
    if (pending) await stores.pendingCopies.remove(call.workspaceId, [pending.id]);
  };

  return {
    withCopy,
    forget,
    removalOf: (location: LocationPart | undefined): ProviderChanges =>
      location ? { remove: { id: context.ids('chg'), to: location, at: context.clock.date() } } : {},
  };
}

/**
 * The pending copy of a local message for the provider; null without a provider, or without such a folder. A repeat of the
 * operation makes the same one.
 */
function appendOf({ mailbox, arrival }: OwnMail, call: Call, now: Date): Append | null {
  const { workspaceId, _id: mailboxId, provider, lastSyncedAt } = mailbox;
  const folder = folderOf(mailbox, arrival.incoming);
  const isKeptHere = !folder?.path && lastSyncedAt !== null;
  if (provider !== 'imap' || !folder || isKeptHere) return null;
  const id = deterministicIdOf('chg', call);
  const { raw } = arrival.incoming;
  const copy = { _id: id, workspaceId, mailboxId, raw, createdAt: now, expiresAt: new Date(now.getTime() + KEPT_MS) };
  return { pending: { id, to: folder.id, at: now }, copy };
}
