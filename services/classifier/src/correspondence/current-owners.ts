import type { Clock } from '@postroom/runtime/clock';
import type { MailboxOwner, OwnerStore } from './owner-store.ts';

type OwnerOf = (workspaceId: string, mailboxId: string) => Promise<MailboxOwner | null>;

/** A changed name or signature is in prompts after so long. outbound-send puts the stored signature below a reply. */
const KEPT_MS = 60_000;
const MOST_KEPT = 500;

interface Kept {
  owner: Promise<MailboxOwner | null>;
  until: number;
}

/** The owners of mailboxes, so that a burst of replies reads each once. */
export function currentOwners(store: OwnerStore, clock: Pick<Clock, 'now'>): OwnerOf {
  const kept = new Map<string, Kept>();

  return (workspaceId, mailboxId) => {
    const key = `${workspaceId} ${mailboxId}`;
    const known = kept.get(key);
    if (known && known.until > clock.now()) return known.owner;
    const owner = store.find(workspaceId, mailboxId);
    kept.delete(key);
    kept.set(key, { owner, until: clock.now() + KEPT_MS });
    owner.catch(() => kept.get(key)?.owner === owner && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return owner;
  };
}
