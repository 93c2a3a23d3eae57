import type { ChangeDeps } from './change-deps.ts';
import type { Rpcs } from '../deps.ts';

/** One update of this size is over before any other write has to wait noticeably for it. */
const BATCH = 1_000;
/** No further batch begins when less time is left. */
const MARGIN_MS = 3_000;

/**
 * Removes a deleted label from as many emails as fit into the call's time. It makes no event, because the label is
 * already gone for every reader. The caller repeats the call until no email is left.
 */
export function createForgetLabelHandler({ carriers }: ChangeDeps) {
  return {
    async forgetLabel({ labelId }, call) {
      let updatedCount = 0;
      do {
        const taken = await carriers.takeLabelOff(call.workspaceId, labelId, BATCH, call);
        updatedCount += taken;
        if (taken < BATCH) break;
        call.log.info({ labelId, emails: updatedCount }, 'a deleted label leaves its emails');
      } while (call.remainingMs() > MARGIN_MS);
      return { updatedCount };
    },
  } satisfies Partial<Rpcs>;
}
