import { ApiError } from '@postroom/errors/api-error';
import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import type { RunRulesDeps } from './run-rules.ts';
import type { Classified, SweepStore } from './sweep-store.ts';
import { sweepForwards } from './sweep.ts';

export interface SweepWorldOptions {
  /** Emails that this process has handled. */
  recent?: string[];
  /** Emails that another process has forwarded. */
  elsewhere?: string[];
  /** The time at which the rules were made or changed. */
  changedAt?: Date;
}

interface World {
  workspaces: Record<string, Classified[]>;
  asked: string[];
  queries: string[];
  changedAt: Date;
  isLogged(emailId: string): boolean;
  fault?: ((emailId: string) => Error | undefined) | undefined;
  broken?: string | undefined;
}

const EMAIL = { senderAddress: 'b@far.example', subject: 'x', folderType: 'INBOX', isAutomatic: false } as const;
const RULE = { conditionField: 'subject_contains', conditionValue: 'x', forwardTo: 'a@other.example', mode: 'normal' };

/** Workspaces with a rule each, their classified emails, and a forwarder that has just started. */
export function sweepWorld(
  clock: ManualClock,
  workspaces: Record<string, Classified[]>,
  { recent = [], changedAt = new Date(0), elsewhere = [] }: SweepWorldOptions = {},
) {
  const asked: string[] = [];
  const queries: string[] = [];
  const made = new Set(elsewhere);
  const isLogged = (id: string) => made.has(id) || asked.includes(id);
  const world: World = { workspaces, asked, queries, changedAt, isLogged };
  const known = createRecentIds(2_000);
  for (const id of recent) known.add(id);
  const [store, forwards] = [storeOf(world), forwardsOf(world, clock)];
  const sweep = sweepForwards({ store, forwards, recent: known, clock, log: silentLog });
  return {
    asked,
    queries,
    fails: (how: World['fault']) => (world.fault = how),
    breaks: (workspaceId: string | undefined) => (world.broken = workspaceId),
    pass: async (ms: number) => {
      for (let gone = 0; gone < ms; gone += 1_000) await clock.advance(1_000);
    },
    close: sweep.close,
  };
}

export function classifiedBefore(clock: ManualClock, _id: string, ageMs: number): Classified {
  return { _id, workspaceId: '', createdAt: new Date(clock.now() - ageMs), verdicts: [] };
}

const ruleOf = ({ changedAt }: World, workspaceId: string) =>
  ({ ...RULE, _id: `afr_${workspaceId}`, workspaceId, updatedAt: changedAt }) as AutoForwardRuleDocument;

function storeOf(world: World): SweepStore {
  const { workspaces, queries, isLogged } = world;
  const ownerOf = (ids: readonly string[], emailId: string) =>
    ids.find((id) => workspaces[id]?.some(({ _id }) => _id === emailId)) ?? '';
  return {
    everyWorkspacesActiveRules: async (behind, limit) => {
      queries.push('rules');
      const ids = Object.keys(workspaces).toSorted();
      const found = ids.filter((id) => id > behind).slice(0, limit);
      return found.map((id) => ruleOf(world, id));
    },
    everyWorkspacesClassified: async (ids, behind, before, limit) => {
      queries.push('classified');
      if (ids.some((id) => id === world.broken)) throw new Error('this workspace is broken');
      const isBehind = ({ _id, createdAt }: Classified) =>
        createdAt > behind.createdAt || (createdAt.getTime() === behind.createdAt.getTime() && _id > behind._id);
      return ids
        .flatMap((id) => (workspaces[id] ?? []).map((one) => ({ ...one, workspaceId: id })))
        .filter((one) => isBehind(one) && one.createdAt < before)
        .slice(0, limit);
    },
    everyWorkspacesEmails: async (workspaceIds, ids) => {
      queries.push('emails');
      return ids.map((_id) => ({ ...EMAIL, _id, workspaceId: ownerOf(workspaceIds, _id) }));
    },
    everyWorkspacesAiLabels: async () => [],
    everyWorkspacesLogged: async (workspaceIds, lineIds) => {
      queries.push('logged');
      const lines = workspaceIds.flatMap((id) =>
        (workspaces[id] ?? [])
          .filter(({ _id }) => isLogged(_id))
          .map(({ _id }) => autoForwardLogId(id, `afr_${id}`, _id)),
      );
      const wanted = new Set(lineIds);
      return new Set(lines.filter((id) => wanted.has(id)));
    },
  };
}

function forwardsOf(world: World, clock: ManualClock): RunRulesDeps {
  const { workspaces, asked, queries, isLogged } = world;
  return {
    mail: {
      activeRules: async (workspaceId: string) => (workspaces[workspaceId] ? [ruleOf(world, workspaceId)] : []),
      email: async (_workspaceId: string, _id: string) => {
        queries.push('email');
        return { ...EMAIL, _id };
      },
      aiLabelNames: async () => [],
      isLogged: async (_workspaceId: string, _ruleId: string, emailId: string) => isLogged(emailId),
    },
    outboundSend: {
      forwardEmail: async ({ emailId }: { emailId: string }) => {
        const error = world.fault?.(emailId);
        if (error instanceof ApiError && error.code === 'QUERY_TIMEOUT') await clock.sleep(10_000);
        if (error) throw error;
        asked.push(emailId);
        return { status: 'queued' };
      },
    },
    attempts: { attempt: async (_workspaceId: string, _id: string, work: () => Promise<void>) => work() },
  } as unknown as RunRulesDeps;
}
