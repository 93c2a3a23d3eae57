import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { LostForwards } from './lost-forwards.ts';
import { type RunLostDeps, sweptOf } from './run-lost.ts';
import type { Classified, ClassifiedPosition, SweepStore } from './sweep-store.ts';
import { withoutLine } from './without-line.ts';

export type RulesByWorkspace = ReadonlyMap<string, readonly AutoForwardRuleDocument[]>;

/** Emails of each workspace that were classified behind a position and before a time. */
interface Span {
  behind: ClassifiedPosition;
  before: Date;
}

interface Reading {
  rulesOf: RulesByWorkspace;
  signal: AbortSignal;
}

interface ReadingDeps extends Pick<RunLostDeps, 'recent'> {
  store: SweepStore;
  lost: LostForwards;
  /** Runs the rules for the lost emails of these workspaces. */
  runAll: (workspaceIds: Iterable<string>, signal: AbortSignal) => Promise<void>;
  /** A workspace that is read apart is read from here at the latest, because it takes no part in the second reading. */
  latestStart: () => number;
}

/** Most of them were handled by their event and cost nothing more. */
const READ_AT_ONCE = 500;
/** Of one workspace. The rest is read apart, so that other workspaces do not wait for it. */
const MOST_READS = 10;

export const startAt = (at: number): ClassifiedPosition => ({ createdAt: new Date(at), _id: '' });
export const span = (from: number, end: number): Span => ({ behind: startAt(from), before: new Date(end) });

/** Reads classified emails in the order of their workspaces, and runs the rules for lost ones. */
export function createReading({ store, lost, recent, runAll, latestStart }: ReadingDeps) {
  const fallBehind = (id: string, { createdAt, _id }: ClassifiedPosition): void => {
    const latest = latestStart();
    lost.fallBehind(id, createdAt.getTime() < latest ? { createdAt, _id } : startAt(latest));
  };

  const see = async (found: readonly Classified[], { rulesOf, signal }: Reading): Promise<void> => {
    const fresh = found.filter(({ _id, workspaceId }) => !recent.has(_id) && !lost.has(workspaceId, _id));
    const swept = fresh.map((one) => sweptOf(one, rulesOf.get(one.workspaceId) ?? []));
    const open = await withoutLine(store, swept);
    for (const one of fresh) {
      if (!open.has(one._id)) recent.add(one._id);
      else if (!lost.add(one)) fallBehind(one.workspaceId, startAt(one.createdAt.getTime()));
    }
    const workspaceIds = fresh.filter(({ _id }) => open.has(_id)).map(({ workspaceId }) => workspaceId);
    await runAll(new Set(workspaceIds), signal);
  };

  const readOn = async (id: string, { behind, before }: Span, reading: Reading): Promise<void> => {
    let position = behind;
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const found = await store.everyWorkspacesClassified([id], position, before, READ_AT_ONCE);
      await see(found, reading);
      if (found.length < READ_AT_ONCE || lost.isBehind(id)) return;
      position = found.at(-1) ?? position;
    }
    fallBehind(id, position);
  };

  return {
    readOn,

    /** The workspaces are in their order. Those that are behind are left out. */
    async readAll(ids: readonly string[], { behind, before }: Span, reading: Reading): Promise<void> {
      for (let rest = ids.filter((id) => !lost.isBehind(id)); rest.length > 0;) {
        reading.signal.throwIfAborted();
        const found = await store.everyWorkspacesClassified(rest, behind, before, READ_AT_ONCE);
        await see(found, reading);
        const last = found.at(-1);
        if (!last || found.length < READ_AT_ONCE) return;
        const { workspaceId } = last;
        if (!lost.isBehind(workspaceId)) await readOn(workspaceId, { behind: last, before }, reading);
        rest = rest.filter((id) => id > workspaceId);
      }
    },
  };
}
