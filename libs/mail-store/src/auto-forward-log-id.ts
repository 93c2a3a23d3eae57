import { steadyId } from '@postroom/runtime/steady-id';

/** One line for each rule and email, found by its id however many lines the rule has. */
export function autoForwardLogId(workspaceId: string, ruleId: string, emailId: string): string {
  return steadyId('afl', workspaceId, ruleId, emailId);
}
