import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { isHandedOver } from '../location/location.ts';
import { changeAll } from './change-all.ts';
import { changeByReport, type ReportedState } from './changes-from-provider.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/** Applies flags and labels to the emails in these IMAP locations. Gives back how many it changed and which locations have an email. */
export async function applyReportedFlags(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  reports: ReadonlyMap<string, ReportedState>,
  at: Date,
): Promise<{ changed: number; known: Set<string> }> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const known = new Set<string>();
  const changed = await changeAll(deps, mailbox, {
    read: (keys) => deps.stores.locations.byKeys(workspaceId, mailboxId, keys),
    names: [...reports.keys()],
    nameOf: ({ messageKey }: EmailAsRead) => messageKey,
    change: (email) => {
      // The report is about another message: this email has left the location.
      if (isHandedOver(email)) return null;
      known.add(email.messageKey);
      const report = reports.get(email.messageKey);
      const fromProvider = report && changeByReport(email, report, at);
      return fromProvider ? deps.changeOf(workspaceId, email, fromProvider) : null;
    },
  });
  return { changed: changed.length, known };
}
