import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApplyProviderChangesRequest, UidRange } from '@postroom/proto/postroom/v1/mailbox_write';
import { changeAll } from './change-all.ts';
import { markGone } from './mark-gone.ts';
import { isHandedOver, locationKey } from '../location/location.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { holds, mergedRanges, without } from '@postroom/mail-server/uid-ranges';

interface Missing {
  /** The identities of those that are certainly gone by now. */
  gone: string[];
  /** The number of emails that are missing for the first time. */
  suspected: number;
  /** UIDs that no email has in its location. */
  unknown: UidRange[];
}

const AT_ONCE = 500;

/**
 * Compares the stored emails of a folder with the complete list of its messages. Missing once: suspected. Missing again in
 * a later pass: removed. Seen again: cleared.
 */
export async function compareWithListing(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  {
    folderId,
    uidValidity,
    uids,
    pass,
    isTakenIn,
  }: Pick<ApplyProviderChangesRequest, 'folderId' | 'uidValidity' | 'uids' | 'pass' | 'isTakenIn'>,
): Promise<Missing> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { locations } = deps.stores;
  const listed = mergedRanges(uids);
  const stored = (await locations.inFolder(workspaceId, mailboxId, folderId, uidValidity)).flatMap((email) =>
    email.place && email.messageKey === locationKey(email.place) ? [{ ...email, uid: email.place.uid }] : [],
  );
  const [there, missing] = [
    stored.filter(({ uid }) => holds(listed, uid)),
    stored.filter(({ uid }) => !holds(listed, uid)),
  ];
  await clearGone(
    deps,
    mailbox,
    there.filter(({ gone }) => gone !== undefined).map(({ messageKey }) => messageKey),
  );
  const keysOf = (some: typeof missing) => some.map(({ messageKey }) => messageKey);
  const doubted = missing.filter(({ gone }) => gone === undefined);
  const isOfThisPass = ({ gone }: (typeof missing)[number]) => gone?.isSure === false && gone.round >= pass;
  const suspected = doubted.length + missing.filter(isOfThisPass).length;
  const again = missing.filter(({ gone }) => gone?.isSure === false && gone.round < pass);
  await markGone(deps, mailbox, keysOf(doubted), { round: pass, isSure: false });
  const gone = await markGone(deps, mailbox, keysOf(again), { round: pass, isSure: true });
  const unknown = without(
    listed,
    there.map(({ uid }) => uid),
  );
  if (isTakenIn) gone.push(...(await giveUpWithoutUid(deps, mailbox, { folderId, pass })));
  return { gone, suspected, unknown };
}

async function clearGone(deps: ReconcileDeps, mailbox: MailboxDocument, keys: readonly string[]): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  await changeAll(deps, mailbox, {
    names: keys,
    read: (some) => deps.stores.locations.byKeys(workspaceId, mailboxId, some),
    nameOf: ({ messageKey }) => messageKey,
    change: (email) =>
      email.gone && !isHandedOver(email) ? deps.changeOf(workspaceId, email, { unset: ['gone'] }) : null,
  });
}

/** The folder was taken in under its new UIDs: an email that has got none of them is not there. */
async function giveUpWithoutUid(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  { folderId, pass }: { folderId: string; pass: number },
): Promise<string[]> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const identities: string[] = [];
  for (;;) {
    const waiting = await deps.stores.gone.withoutUid(workspaceId, mailboxId, folderId, AT_ONCE);
    if (waiting.length === 0) return identities;
    identities.push(
      ...(await markGone(
        deps,
        mailbox,
        waiting.map(({ messageKey }) => messageKey),
        { round: pass, isSure: true },
      )),
    );
  }
}
