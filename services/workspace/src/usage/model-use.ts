import type { ListModelUseResponse } from '@postroom/proto/postroom/v1/activity';
import { createSums } from './sums.ts';
import { nameOfDay } from './days.ts';
import type { CountsOfDay } from './usage-store.ts';

type Use = { calls: number; inputTokens: number; outputTokens: number; cost: number };

/** The use of each rule and of all rules together, by day. The latter stands under the workspace. */
export function modelUseOf(workspaceId: string, documents: readonly CountsOfDay[]): ListModelUseResponse {
  const sums = createSums<[day: string, ruleId: string, name: string]>();
  for (const { subject, day, counts } of documents) {
    for (const [name, amount] of Object.entries(counts)) sums.add([nameOfDay(day), subject, name], amount);
  }
  const uses = new Map<string, { day: string; ruleId: string } & Use>();
  for (const {
    key: [day, ruleId, name],
    sum,
  } of sums.list()) {
    const id = `${day} ${ruleId}`;
    const use = uses.get(id) ?? { day, ruleId, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    uses.set(id, { ...use, [name]: sum });
  }
  const all = [...uses.values()];
  return {
    days: all.filter(({ ruleId }) => ruleId === workspaceId).map(({ ruleId: _all, ...use }) => use),
    rules: all.filter(({ ruleId }) => ruleId !== workspaceId),
  };
}
