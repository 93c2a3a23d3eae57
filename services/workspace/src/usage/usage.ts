import { planInForce, planLimits } from '@postroom/contract/plans';
import type { LimitReadingPart } from '@postroom/mail-store/documents/usage';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import type { ActivityServiceDefinition, PlanWindow } from '@postroom/proto/postroom/v1/activity';
import type { Handlers } from '@postroom/rpc/definition';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { ServiceContext } from '@postroom/runtime/service';
import { unknownWorkspace } from '../requests/requests.ts';
import type { WorkspaceStore } from '../workspaces/workspaces.ts';
import { daysRules, nameOfDay } from './days.ts';
import { modelUseOf } from './model-use.ts';
import { createSums } from './sums.ts';
import type { CountsOfDay, UsageStore } from './usage-store.ts';

export interface UsageDeps {
  context: Pick<ServiceContext, 'clock'>;
  usage: UsageStore;
  workspaces: Pick<WorkspaceStore, 'find'>;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export function usageHandlers({ usage, workspaces, context: { clock } }: UsageDeps) {
  return {
    listKeyUse: async (_request, call) => {
      const thisHour = Math.floor(clock.now() / HOUR_MS);
      const firstHour = thisHour - (DAY_HOURS - 1);
      const days = { from: new Date(Math.floor(firstHour / DAY_HOURS) * DAY_HOURS * HOUR_MS), to: clock.date() };
      const [uses, counts] = await Promise.all([
        usage.keyUses(call.workspaceId, call),
        usage.calls(call.workspaceId, days, undefined, call),
      ]);
      const calls = callsSince(firstHour, counts);
      return {
        items: uses.map(({ _id: keyId, last: { at, address } }) => ({
          keyId,
          lastUsedAt: at.toISOString(),
          lastAddress: address,
          callsOfDay: calls.get(keyId) ?? 0,
        })),
      };
    },

    readUsage: async (request, call) => {
      const days = parseRequest(daysRules, request);
      const { keyId: askedKey, endpoint: askedEndpoint } = request;
      const byKey = createSums<[day: string, keyId: string]>();
      const byEndpoint = createSums<[day: string, endpoint: string]>();
      for (const { day, keyId, endpoint, calls } of hourly(await usage.calls(call.workspaceId, days, askedKey, call))) {
        if (askedEndpoint !== undefined && endpoint !== askedEndpoint) continue;
        byKey.add([day, keyId], calls);
        byEndpoint.add([day, endpoint], calls);
      }
      return {
        byKey: byKey.list().map(({ key: [day, keyId], sum: calls }) => ({ day, keyId, calls })),
        byEndpoint: byEndpoint.list().map(({ key: [day, endpoint], sum: calls }) => ({ day, endpoint, calls })),
      };
    },

    readLimits: async (_request, call) => {
      const { workspaceId } = call;
      const [workspace, reading] = await Promise.all([
        workspaces.find(workspaceId, call),
        usage.limitReading(workspaceId, call),
      ]);
      if (!workspace) throw unknownWorkspace(workspaceId);
      return limitsOf(workspace, reading?.last, clock.now());
    },

    listModelUse: async (request, call) => {
      const days = parseRequest(daysRules, request);
      return modelUseOf(call.workspaceId, await usage.modelCounts(call.workspaceId, days, call));
    },
  } satisfies Partial<Handlers<ActivityServiceDefinition>>;
}

function limitsOf({ plan: bought, planUntil }: WorkspaceDocument, last: LimitReadingPart | undefined, now: number) {
  const plan = planInForce(bought, planUntil?.getTime() ?? null, now);
  const { perMinute, perMonth } = planLimits[plan];
  return {
    plan,
    minute: windowOf(perMinute, last && { used: last.minuteUsed, ends: last.minuteEnds }, now),
    month: windowOf(perMonth, last && { used: last.monthUsed, ends: last.monthEnds }, now),
  };
}

/** A window that is over has nothing used. */
function windowOf(limit: number, seen: { used: number; ends: Date } | undefined, now: number): PlanWindow {
  if (!seen || seen.used === 0 || seen.ends.getTime() <= now) return { limit, used: 0 };
  return { limit, used: seen.used, resetsAt: seen.ends.toISOString() };
}

/** By key. */
function callsSince(firstHour: number, counts: readonly CountsOfDay[]): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { keyId, hour, calls: more } of hourly(counts))
    if (hour >= firstHour) calls.set(keyId, (calls.get(keyId) ?? 0) + more);
  return calls;
}

/** Each number of the documents. Its name is the endpoint and the hour of the day. */
function* hourly(documents: readonly CountsOfDay[]) {
  for (const { subject: keyId, day, counts } of documents) {
    const nameOf = nameOfDay(day);
    for (const [name, calls] of Object.entries(counts)) {
      const end = name.lastIndexOf(' ');
      const hour = day.getTime() / HOUR_MS + Number(name.slice(end + 1));
      yield { day: nameOf, keyId, endpoint: name.slice(0, end), hour, calls };
    }
  }
}
