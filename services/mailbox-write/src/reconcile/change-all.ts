import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { type EmailChange, toOutboxEntry } from '../changes/email-change.ts';
import { isolateFailures } from '../ingest/isolate-failures.ts';
import { finish } from '../ingest/finalizing.ts';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/** Each attempt more means that somebody else has changed one of the emails meanwhile. */
const MOST_ATTEMPTS = 50;
const AT_ONCE = 500;
interface Changing {
  names: readonly string[];
  read(names: readonly string[]): Promise<EmailAsRead[]>;
  nameOf(email: EmailAsRead): string;
  /** Null where nothing is to be done. */
  change(email: EmailAsRead): EmailChange | null;
}

/** Reads emails and changes each while it is as it was read; those that others changed meanwhile are looked at again. */
export async function changeAll(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  changing: Changing,
): Promise<EmailAsRead[]> {
  const done: EmailAsRead[] = [];
  for (let from = 0; from < changing.names.length; from += AT_ONCE) {
    let names = changing.names.slice(from, from + AT_ONCE);
    for (let attempt = 0; names.length > 0; attempt += 1) {
      if (attempt === MOST_ATTEMPTS) throw new Error('emails were changed by others all the time');
      const emails = await changing.read(names);
      const lost: EmailAsRead[] = [];
      const change = async (some: readonly EmailAsRead[]) => {
        const changes = new Map(some.flatMap((email) => asEntry(email, changing.change(email))));
        const changed = await makeChanges(deps, mailbox, [...changes.values()]);
        for (const email of changes.keys()) (changed.has(email._id) ? done : lost).push(email);
      };
      // One that can never be changed keeps none of the others back, nor its folder.
      await isolateFailures(emails, change, ({ _id: emailId }, error) =>
        deps.context.log.error({ err: error, emailId }, 'a change of the provider cannot be applied; it is skipped'),
      );
      names = lost.map((email) => changing.nameOf(email));
    }
  }
  return done;
}

const asEntry = (email: EmailAsRead, change: EmailChange | null): [EmailAsRead, EmailChange][] =>
  change ? [[email, change]] : [];

/** The ids of those that were changed by this. */
export async function makeChanges(
  { stores, relay, context, finalizing, fence }: ReconcileDeps,
  mailbox: MailboxDocument,
  changes: EmailChange[],
): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const { workspaceId } = mailbox;
  await fence();
  const changed = new Set(await stores.bulk.changeMany(workspaceId, changes, context.ids('op'), QUERY_BUDGET));
  const made = changes.filter(({ emailId }) => changed.has(emailId));
  relay.publishSoon(made.map(toOutboxEntry));
  const unfinished = made.filter(({ set }) => set.isUnsettled).map(({ emailId }) => emailId);
  await finish(finalizing, mailbox, unfinished, { isRepeat: false });
  return changed;
}
