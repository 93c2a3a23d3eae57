import { PLANS } from '@postroom/contract/plans';
import type { PlanWindow, ReadLimitsResponse } from '@postroom/proto/postroom/v1/activity';
import { z } from 'zod';
import type { LimitsAnswer, UsageAnswer } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-03-01');
const usageQuery = z.object({ from: day, to: day });

export const usageAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/usage',
    needs: 'member',
    query: usageQuery,
    call: async ({ query }, services, visit): Promise<UsageAnswer> => {
      const { activity } = services;
      const [limits, use, model, names] = await Promise.all([
        limitsOf(visit, services),
        activity.readUsage(query, visit),
        activity.listModelUse(query, visit),
        keyNames(visit, services),
      ]);
      return {
        ...query,
        limits,
        byKey: use.byKey.map(({ day: on, keyId, calls }) => ({
          day: on,
          keyId,
          keyName: names.get(keyId) ?? null,
          calls,
        })),
        byEndpoint: use.byEndpoint.map(({ day: on, endpoint, calls }) => ({ day: on, endpoint, calls })),
        model: model.days.map(({ day: on, calls, inputTokens, outputTokens, cost }) => {
          return { day: on, calls, inputTokens, outputTokens, cost };
        }),
        modelByRule: model.rules.map(({ day: on, ruleId, calls, inputTokens, outputTokens, cost }) => {
          return { day: on, ruleId, calls, inputTokens, outputTokens, cost };
        }),
      };
    },
  }),
];

/** Members see how much each key is used, and no name of a key. */
async function keyNames(visit: WorkspaceVisit, { workspaces }: AppServices): Promise<ReadonlyMap<string, string>> {
  if (visit.role === 'member') return new Map();
  const { items } = await workspaces.listKeys({ workspaceId: visit.workspaceId }, visit);
  return new Map(items.map(({ id, name }) => [id, name]));
}

export async function limitsOf(
  visit: WorkspaceVisit,
  { activity }: Pick<AppServices, 'activity'>,
): Promise<LimitsAnswer> {
  return toJsonLimits(await activity.readLimits({}, visit));
}

function toJsonLimits({ plan, minute, month }: ReadLimitsResponse): LimitsAnswer {
  return {
    plan: PLANS.find((known) => known === plan) ?? 'free',
    minute: toJsonWindow(minute),
    month: toJsonWindow(month),
  };
}

function toJsonWindow(window: PlanWindow | undefined): LimitsAnswer['minute'] {
  if (!window) throw new Error('limits were answered without a window');
  const { limit, used, resetsAt = null } = window;
  return { limit, used, resetsAt };
}
