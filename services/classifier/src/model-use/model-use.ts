import { createDayCounts, type DayCounts, type DayCountsStore } from '@postroom/mail-store/day-counts';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Prices, Spend, Tokens } from '../model/model.ts';

export interface ModelUseCounts {
  /** Counts the answers to calls that ask about these rules of a workspace. */
  of(workspaceId: string, ruleIds: readonly string[]): Spend;
  /** Counts emails that a test of a rule asks about; the sum of a day is bounded. */
  addTested(workspaceId: string, emails: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const MILLION = 1_000_000;

/** Calls of the model, their tokens and their cost, by workspace, rule and day. */
export function openModelUse(
  store: DayCountsStore,
  { prices, flushedEveryMs }: { prices: Prices; flushedEveryMs: number },
  { clock, ids, log, lifecycle }: Pick<ServiceContext, 'clock' | 'ids' | 'log' | 'lifecycle'>,
): ModelUseCounts {
  const counts = createDayCounts(store, { clock, ids });
  const flushing = repeat(counts.flush, {
    name: 'the flush of calls of the model',
    everyMs: flushedEveryMs,
    firstAfterMs: flushedEveryMs,
    clock,
    log,
  });
  const close = async () => {
    await flushing.close();
    await counts
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'the last calls of the model are not stored'));
  };
  lifecycle.add('calls of the model', close);

  const add = (workspaceId: string, subject: string, input: number, output: number): void => {
    counts.add(workspaceId, subject, 'calls', 1);
    counts.add(workspaceId, subject, 'inputTokens', input);
    counts.add(workspaceId, subject, 'outputTokens', output);
    counts.add(workspaceId, subject, 'cost', costOf({ inputTokens: input, outputTokens: output }, prices));
  };

  return {
    of:
      (workspaceId, ruleIds) =>
      ({ inputTokens, outputTokens, rough }) => {
        if (rough) addJudged(counts, workspaceId, { inputTokens, outputTokens }, rough);
        // The totals of all rules stand under the workspace.
        add(workspaceId, workspaceId, inputTokens, outputTokens);
        ruleIds.forEach((ruleId, position) =>
          add(
            workspaceId,
            ruleId,
            shareOf(inputTokens, ruleIds.length, position),
            shareOf(outputTokens, ruleIds.length, position),
          ),
        );
      },
    addTested: (workspaceId, emails) => counts.add(workspaceId, workspaceId, 'tested', emails),
    flush: counts.flush,
    close,
  };
}

/** By these, another process estimates a test of a rule. */
function addJudged(counts: DayCounts, workspaceId: string, reported: Tokens, rough: Tokens): void {
  counts.add(workspaceId, workspaceId, 'judged', 1);
  counts.add(workspaceId, workspaceId, 'judgedInputTokens', reported.inputTokens);
  counts.add(workspaceId, workspaceId, 'judgedOutputTokens', reported.outputTokens);
  counts.add(workspaceId, workspaceId, 'roughInputTokens', rough.inputTokens);
  counts.add(workspaceId, workspaceId, 'roughOutputTokens', rough.outputTokens);
}

export function costOf(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  prices: Prices,
): number {
  return (inputTokens * prices.input + outputTokens * prices.output) / MILLION;
}

/** Whole tokens: the first shares are one token larger where the division leaves a rest, so that they add up. */
function shareOf(total: number, parts: number, position: number): number {
  return Math.floor(total / parts) + (position < total % parts ? 1 : 0);
}
