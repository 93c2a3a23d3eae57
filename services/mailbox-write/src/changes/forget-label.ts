import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import { appliedName, toOutboxEntry } from './email-change.ts';

/** One update of this size is over before any other write has to wait noticeably for it. */
const BATCH = 500;
/** No further batch begins when less time is left. */
const MARGIN_MS = 3_000;

/**
 * Removes a deleted label from as many emails as fit into the call's time, each with its event. The caller repeats the call
 * until no email is left.
 */
export function createForgetLabelHandler(deps: ChangeDeps) {
  return {
    async forgetLabel({ labelId }, call) {
      let updatedCount = 0;
      do {
        const taken = await takeOff(deps, labelId, call);
        updatedCount += taken;
        if (taken < BATCH) break;
        call.log.info({ labelId, emails: updatedCount }, 'a deleted label leaves its emails');
      } while (call.remainingMs() > MARGIN_MS);
      return { updatedCount };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/** Returns the number of emails that carried it, and not of those changed: two calls at once would tell each other that none is left. */
async function takeOff({ labeledEmails, bulk, changes, relay, context }: ChangeDeps, labelId: string, call: Call) {
  const { workspaceId } = call;
  const found = await labeledEmails.find(workspaceId, labelId, BATCH, call);
  // An event that the label was applied, and that nobody has published yet, goes with it.
  const unset = [`outbox.${appliedName(labelId)}`];
  const taken = found.map((email) => ({ ...changes.unlabelled(workspaceId, email, labelId), unset }));
  const changed = new Set(await bulk.changeMany(workspaceId, taken, context.ids('op'), call));
  relay.publishSoon(taken.filter(({ emailId }) => changed.has(emailId)).map(toOutboxEntry));
  return found.length;
}
