import type { Call } from '@postroom/rpc/call';
import type {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ChangeDeps } from './change-deps.ts';
import type { PendingStore, QuarantinedEmail } from './pending-store.ts';

const USUAL_LIST = 50;
const LONGEST_LIST = 1_000;
const LONGEST_CAUSE = 300;
const MOST_COUNTED = 10_000;

type PendingDeps = Pick<ChangeDeps, 'context'> & { pending: PendingStore };

/** Emails that wait for their classification, one at a time. */
export function createPendingHandlers({ pending, context }: PendingDeps) {
  return {
    async postponeClassification({ emailId, seen, notBefore, attempts, cause, quarantine }, call: Call) {
      const isChanged = await pending.postpone(
        call.workspaceId,
        {
          emailId,
          seen: seen === undefined ? undefined : new Date(seen),
          notBefore: new Date(notBefore),
          attempts,
          cause: cause?.slice(0, LONGEST_CAUSE),
          quarantinedAt: quarantine ? context.clock.date() : undefined,
        },
        call,
      );
      return { isChanged };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/** Emails whose classification was given up, for operators. */
export function createQuarantineHandlers({
  pending,
  context,
}: PendingDeps & { context: Pick<ServiceContext, 'metrics'> }) {
  context.metrics.gauge(
    'postroom_quarantined_emails',
    'Emails whose classification was given up, counted to 10,000',
    () => pending.everyQuarantined(MOST_COUNTED),
  );
  return {
    async listQuarantined({ mailboxId, limit }, call: Call) {
      const most = limit > 0 ? Math.min(limit, LONGEST_LIST) : USUAL_LIST;
      return { items: (await pending.quarantined(call.workspaceId, mailboxId, most, call)).map(toMessage) };
    },

    async retryQuarantined({ emailIds }, call: Call) {
      return { retried: await pending.retry(call.workspaceId, emailIds, context.clock.date(), call) };
    },
  } satisfies Partial<Handlers<MailboxWriteOperatorServiceDefinition>>;
}

function toMessage({ _id: emailId, mailboxId, classification }: QuarantinedEmail) {
  const { attempts = 0, cause = '', quarantinedAt } = classification ?? {};
  return { emailId, mailboxId, attempts, cause, quarantinedAt: quarantinedAt?.toISOString() ?? '' };
}
