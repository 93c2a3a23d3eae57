import type { AccessRpcs, Deps } from './deps.ts';
import { recordSync } from './sync/record-sync.ts';
import { unknownMailbox } from './unknown.ts';

/** What the services ask that log in for a mailbox, and what they report. */
export function accessHandlers(deps: Deps): AccessRpcs {
  const { mailboxes, vault } = deps;
  return {
    /** Asked for when it is needed, and kept by nobody. */
    getMailboxAccess: async ({ workspaceId, mailboxId }, call) => {
      const mailbox = await mailboxes.find(workspaceId, mailboxId, call);
      if (!mailbox?.server || !mailbox.credentials) throw unknownMailbox(mailboxId);
      const { imapAddress, smtpAddress, user, ca } = mailbox.server;
      const password = await vault.open({ workspaceId, mailboxId }, mailbox.credentials);
      return { imapAddress, smtpAddress, user, password: password.reveal(), ca: ca || undefined, tokenEpoch: 0 };
    },

    recordSync: (request, call) => recordSync(request, call, deps),
  };
}
