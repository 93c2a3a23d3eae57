import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { type EmailChange, owingOf } from '../changes/email-change.ts';
import { finish } from '../ingest/settling.ts';
import type { PlacedEmail } from '../changes/as-read.ts';
import type { PlaceDeps } from './place-deps.ts';

/** Each attempt more means that somebody else has changed one of the emails meanwhile. */
const MOST_ATTEMPTS = 50;
const AT_ONCE = 500;
interface Changing {
  names: readonly string[];
  read(names: readonly string[]): Promise<PlacedEmail[]>;
  nameOf(email: PlacedEmail): string;
  /** Null where nothing is to be done. */
  change(email: PlacedEmail): EmailChange | null;
}

/** Reads emails and changes each while it is as it was read; those that others changed meanwhile are looked at again. */
export async function changeAll(deps: PlaceDeps, mailbox: MailboxDocument, changing: Changing): Promise<PlacedEmail[]> {
  const done: PlacedEmail[] = [];
  for (let from = 0; from < changing.names.length; from += AT_ONCE) {
    let names = changing.names.slice(from, from + AT_ONCE);
    for (let attempt = 0; names.length > 0; attempt += 1) {
      if (attempt === MOST_ATTEMPTS) throw new Error('emails were changed by others all the time');
      const emails = await changing.read(names);
      const tried = emails.flatMap((email) => {
        const change = changing.change(email);
        return change ? [{ email, change }] : [];
      });
      const changed = await makeChanges(
        deps,
        mailbox,
        tried.map(({ change }) => change),
      );
      const [ours, lost] = [
        tried.filter(({ email }) => changed.has(email._id)),
        tried.filter(({ email }) => !changed.has(email._id)),
      ];
      done.push(...ours.map(({ email }) => email));
      names = lost.map(({ email }) => changing.nameOf(email));
    }
  }
  return done;
}

/** The ids of those that were changed by this. */
export async function makeChanges(
  { stores, relay, context, settling, fence }: PlaceDeps,
  mailbox: MailboxDocument,
  changes: EmailChange[],
): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const { workspaceId } = mailbox;
  await fence();
  const changed = new Set(await stores.bulk.changeMany(workspaceId, changes, context.ids('op'), QUERY_BUDGET));
  const made = changes.filter(({ emailId }) => changed.has(emailId));
  relay.publishSoon(made.map(owingOf));
  const unsettled = made.filter(({ set }) => set.isUnsettled).map(({ emailId }) => emailId);
  await finish(settling, mailbox, unsettled);
  return changed;
}
