import type { AccessRpcs, Deps } from './deps.ts';
import { unknownMailbox } from './unknown.ts';

/** What a service logs in with. It is asked for when it is needed, and kept by nobody. */
export function accessHandlers({ mailboxes, vault }: Deps): AccessRpcs {
  return {
    getMailboxAccess: async ({ workspaceId, mailboxId }, call) => {
      const mailbox = await mailboxes.find(workspaceId, mailboxId, call);
      if (!mailbox?.server || !mailbox.credentials) throw unknownMailbox(mailboxId);
      const { imapAddress, smtpAddress, user } = mailbox.server;
      const password = await vault.open({ workspaceId, mailboxId }, mailbox.credentials);
      return { imapAddress, smtpAddress, user, password: password.reveal() };
    },
  };
}
