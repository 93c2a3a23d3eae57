import { deterministicId } from '@postroom/runtime/deterministic-id';

/** One line for each rule and email, found by its id however many lines the rule has. */
export function autoForwardLogId(workspaceId: string, ruleId: string, emailId: string): string {
  return deterministicId('afl', workspaceId, ruleId, emailId);
}
