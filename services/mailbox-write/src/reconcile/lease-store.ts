import type { Reads } from '@postroom/mail-store/access';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/** The leases of mailboxes, which mailbox-sync writes. Only their holders may report what a provider says. */
export function createLeaseStore({ mailboxLeases }: Reads<'mailboxLeases'>) {
  return {
    /** 0 where nobody has ever held it. */
    async epoch(workspaceId: string, mailboxId: string): Promise<number> {
      const lease = await mailboxLeases
        .findOne({ workspaceId, _id: mailboxId }, { epoch: 1 }, QUERY_LIMIT)
        .lean<{ epoch: number } | null>();
      return lease?.epoch ?? 0;
    },
  };
}
