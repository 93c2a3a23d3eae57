import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { WaitingWorkStore } from './waiting-work-store.ts';

export interface WaitingWorkDeps {
  context: Pick<ServiceContext, 'clock'>;
  counts: WaitingWorkStore;
}

export function waitingWorkHandlers({ counts, context: { clock } }: WaitingWorkDeps) {
  return {
    countMail: async (_request, call) => {
      const { workspaceId } = call;
      const [waitingReplies, ruleDrafts, quarantinedMessages, quarantinedEmails, deadLetters] = await Promise.all([
        counts.waitingReplies(workspaceId, call),
        counts.ruleDrafts(workspaceId, call),
        counts.quarantinedMessages(workspaceId, clock.date(), call),
        counts.quarantinedEmails(workspaceId, call),
        counts.deadLetters(workspaceId, call),
      ]);
      return { waitingReplies, ruleDrafts, quarantinedMessages, quarantinedEmails, deadLetters };
    },
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}
