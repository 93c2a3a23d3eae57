import type { LabelDocument } from '@postroom/mail-store/documents/label';
import type { Call } from '@postroom/rpc/call';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';

type Forget<Response> = (
  request: { labelId: string },
  context: { workspaceId: string; requestId: string; deadline?: number },
) => Promise<Response>;

interface Deps {
  tombstones: {
    everyWorkspaces(): Promise<LabelDocument[]>;
    remove(workspaceId: string, labelId: string): Promise<void>;
  };
  aiRules: { deleteOfLabel(workspaceId: string, labelId: string): Promise<unknown> };
  mailboxWrite: { forgetLabel: Forget<{ updatedCount: number }> };
  viewFilter: { forgetLabel: Forget<unknown> };
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

export interface LabelCleanup {
  /** The first step, within the caller's own call: filters go now, emails follow in the background. */
  begin(tombstone: LabelDocument, call: Pick<Call, 'requestId' | 'deadline'>): Promise<void>;
  close(): Promise<void>;
}

/**
 * A call that saw the label alive may write it to an email until its deadline of ten seconds. A tombstone therefore
 * stays longer than that, and is forgotten once more at the end.
 */
export const TOMBSTONE_MS = 15_000;
const SWEEP_MS = 60_000;
const FIRST_DELAY_MS = 1_000;
const FILTERS_LIMIT_MS = 2_000;

/** Takes deleted labels off emails and filters until nothing carries them, through failures and restarts alike. */
export function startLabelCleanup(deps: Deps): LabelCleanup {
  const { tombstones, viewFilter, context } = deps;
  const { clock, log } = context;
  let failures = 0;

  const pass = async (closing: AbortSignal): Promise<number> => {
    try {
      const found = await tombstones.everyWorkspaces();
      let failed = 0;
      for (const tombstone of found) if (!closing.aborted && !(await forget(tombstone, deps))) failed += 1;
      failures = failed > 0 ? failures + 1 : 0;
      if (failed === 0) return found.length > 0 ? TOMBSTONE_MS : SWEEP_MS;
    } catch (error) {
      failures += 1;
      log.error({ err: error }, 'deleted labels not read; a later pass tries again');
    }
    return Math.min(SWEEP_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  };

  const passes = repeat(pass, { name: 'the scan for deleted labels', everyMs: SWEEP_MS, clock, log });

  return {
    async begin({ _id: labelId, workspaceId }, { requestId, deadline }) {
      const soon = Math.min(deadline, clock.now() + FILTERS_LIMIT_MS);
      try {
        await viewFilter.forgetLabel({ labelId }, { workspaceId, requestId, deadline: soon });
      } catch (error) {
        // The label is gone already, so the answer does not depend on this. The background tries again.
        log.warn(
          { err: error, labelId, workspaceId },
          'filters of a deleted label not removed; a later pass removes them',
        );
      }
      passes.wake();
    },
    close: passes.close,
  };
}

/** One pass over everything that may carry the label; true when all of it was reached. */
async function forget(tombstone: LabelDocument, deps: Deps): Promise<boolean> {
  const { tombstones, aiRules, mailboxWrite, viewFilter, context } = deps;
  const { _id: labelId, workspaceId, deletedAt } = tombstone;
  const log = context.log.child({ labelId, workspaceId });
  const caller = { workspaceId, requestId: `forget-${labelId}` };
  const isOldEnough = context.clock.now() - (deletedAt?.getTime() ?? 0) >= TOMBSTONE_MS;
  try {
    if (tombstone.isAiLabel) await aiRules.deleteOfLabel(workspaceId, labelId);
    await viewFilter.forgetLabel({ labelId }, caller);
    // Each call takes the label off as many emails as fit into its time; none left is how the last one answers.
    for (let total = 0, taken = -1; taken !== 0; total += taken) {
      taken = (await mailboxWrite.forgetLabel({ labelId }, caller)).updatedCount;
      if (taken > 0) log.info({ emails: total + taken }, 'emails lost a deleted label');
    }
    if (!isOldEnough) return true;
    await tombstones.remove(workspaceId, labelId);
    log.info('tombstone of a deleted label removed');
    return true;
  } catch (error) {
    log.warn({ err: error }, 'traces of a deleted label not removed; a later pass tries again');
    return false;
  }
}
