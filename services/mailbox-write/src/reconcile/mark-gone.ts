import type { GonePart } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { changeAll } from './change-all.ts';
import { isHandedOver } from '../location/location.ts';
import { goneSince, withoutUidSince } from './changes-from-provider.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

const AT_ONCE = 500;

/** Emails that are not where these keys say any more. The identities of all of these, those of an earlier call too. */
export async function markGone(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  keys: readonly string[],
  how: GonePart,
): Promise<string[]> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const found = new Map<string, string>();
  await changeAll(deps, mailbox, {
    names: keys,
    read: (some) => deps.stores.locations.byKeys(workspaceId, mailboxId, some),
    nameOf: ({ messageKey }) => messageKey,
    change: (email) => {
      found.set(email._id, email.identity);
      // A sure absence keeps the pass in which it was noticed.
      return email.gone?.isSure || isHandedOver(email) ? null : deps.changeOf(workspaceId, email, goneSince(how));
    },
  });
  return [...found.values()];
}

/** The emails of a folder lose the IMAP locations of another UIDVALIDITY and wait to be found by their identity. */
export async function forgetLocations(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  { folderId, uidValidity, pass }: { folderId: string; uidValidity: number; pass: number },
): Promise<number> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { locations } = deps.stores;
  for (let forgotten = 0; ;) {
    const found = await locations.ofOtherUidValidity(workspaceId, mailboxId, folderId, uidValidity, AT_ONCE);
    if (found.length === 0) return forgotten;
    const done = await changeAll(deps, mailbox, {
      names: found.map(({ messageKey }) => messageKey),
      read: (keys) => locations.byKeys(workspaceId, mailboxId, keys),
      nameOf: ({ messageKey }) => messageKey,
      change: (email) => deps.changeOf(workspaceId, email, withoutUidSince(email, pass)),
    });
    forgotten += done.length;
  }
}
