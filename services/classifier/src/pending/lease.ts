import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { PendingEmail } from './pending-store.ts';

export interface LeaseDeps {
  clock: Clock;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'postponeClassification'>;
}

/** A process that died is followed by another after so long. */
export const LEASE_MS = 6_000;
const RENEWED_EVERY_MS = 2_000;

/** Another classifier works on the email. */
export class TakenByAnother extends Error {}

export interface LeaseEnd {
  waitMs: number;
  /** After a failure of this email. */
  attempts?: number;
  cause?: string;
  quarantine?: boolean;
}

export interface Lease {
  /** Takes the email up, and keeps it until the end. It throws `TakenByAnother` where that is not possible. */
  begin(): Promise<void>;
  /** Says when the email is taken up next. Nothing changes where another has taken it up meanwhile. */
  end(how: LeaseEnd): Promise<void>;
  /** Aborted when the email was lost to another, which happens to a process that stood still. */
  lost: AbortSignal;
  stop(): void;
}

/** Its time is the email's `notBefore`, changed only by whoever knows its last value: so one classifier has it at a time. */
export function createLease({ clock, mailboxWrite }: LeaseDeps, email: PendingEmail): Lease {
  const { workspaceId, _id: emailId } = email;
  const [stopped, lost] = [new AbortController(), new AbortController()];
  let seen = email.classification?.notBefore?.toISOString();

  const change = async ({ waitMs, ...more }: LeaseEnd): Promise<boolean> => {
    const notBefore = new Date(clock.now() + waitMs).toISOString();
    const request = { emailId, seen, notBefore, quarantine: false, ...more };
    const { isChanged } = await mailboxWrite.postponeClassification(request, { workspaceId });
    if (isChanged) seen = notBefore;
    return isChanged;
  };
  // One after the other, since each has to know what the one before has set.
  let last: Promise<unknown> = Promise.resolve();
  const set = (how: LeaseEnd): Promise<boolean> => {
    const next = last.then(() => change(how));
    last = next.catch(() => undefined);
    return next;
  };
  const keep = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(RENEWED_EVERY_MS, stopped.signal);
      // Unheard, it is tried again before it runs out.
      const isKept = await set({ waitMs: LEASE_MS }).catch(() => true);
      if (!isKept) return lost.abort(new TakenByAnother('another classifier has taken the email up'));
    }
  };

  return {
    lost: lost.signal,
    begin: async () => {
      if (!(await set({ waitMs: LEASE_MS }))) throw new TakenByAnother('another classifier was faster');
      keep().catch(() => undefined);
    },
    end: async (how) => {
      stopped.abort();
      await set(how);
    },
    stop: () => stopped.abort(),
  };
}
