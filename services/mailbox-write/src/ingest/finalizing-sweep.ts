import type { KeyedQueue } from '@postroom/runtime/keyed-queue';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import { finalize, type FinalizingDeps } from './finalizing.ts';
import type { After, UnfinishedEmail } from './unfinished-store.ts';

interface SweepDeps extends FinalizingDeps {
  findMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument | null>;
  /** One after the other for each mailbox, as mail is taken in. */
  queueByMailbox: KeyedQueue['add'];
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const EVERY_MS = 15_000;
/** The process that stored them still works on younger ones. */
const GRACE_MS = 60_000;
const BATCH = 200;

/** Completes emails whose process died between storing them and finding their threads. */
export function sweepUnfinished(deps: SweepDeps): Repeating {
  const { clock, log } = deps.context;
  const sweep = () => finalizeOlder(deps, new Date(clock.now() - GRACE_MS));
  const name = 'the sweep for emails to finalize';
  return repeat(sweep, { name, everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log });
}

/** A mailbox that fails delays only itself: the scan continues after its emails. */
export async function finalizeOlder(deps: SweepDeps, before: Date): Promise<void> {
  let after: After | undefined;
  for (;;) {
    const found = await deps.unfinished.everyWorkspaces(before, after, BATCH);
    for (const emails of byMailbox(found)) await finalizeMailbox(deps, emails);
    after = found.at(-1);
    if (found.length < BATCH) return;
  }
}

async function finalizeMailbox(deps: SweepDeps, emails: readonly UnfinishedEmail[]): Promise<void> {
  const [{ workspaceId, mailboxId }] = emails as [UnfinishedEmail];
  try {
    const mailbox = await deps.findMailbox(workspaceId, mailboxId);
    if (mailbox) await deps.queueByMailbox(mailboxId, () => finalize(deps, mailbox, emails, { isRepeat: true }));
  } catch (error) {
    deps.context.log.warn(
      { err: error, mailboxId, emails: emails.length },
      'emails not finalized; the next sweep tries again',
    );
  }
}

function byMailbox(found: readonly UnfinishedEmail[]): UnfinishedEmail[][] {
  const groups = new Map<string, UnfinishedEmail[]>();
  for (const email of found) groups.set(email.mailboxId, [...(groups.get(email.mailboxId) ?? []), email]);
  return [...groups.values()];
}
