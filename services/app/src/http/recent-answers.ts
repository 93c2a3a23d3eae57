import type { Clock } from '@postroom/runtime/clock';

/** Answers that all people of one workspace share for some seconds, because open pages ask for them again and again. */
export interface RecentAnswers {
  get<T>(workspaceId: string, name: string, make: () => Promise<T>): Promise<T>;
  /** A change has been made: the next call of this workspace reads again. */
  forget(workspaceId: string): void;
}

const KEPT_MS = 5_000;
const MOST_WORKSPACES = 1_000;

type Kept = Map<string, { answer: Promise<unknown>; until: number }>;

export function createRecentAnswers(clock: Pick<Clock, 'now'>): RecentAnswers {
  const workspaces = new Map<string, Kept>();

  const keptOf = (workspaceId: string): Kept => {
    const kept = workspaces.get(workspaceId) ?? new Map();
    // The map is in the order of the last use, so its first entry is the one to drop.
    workspaces.delete(workspaceId);
    workspaces.set(workspaceId, kept);
    const [oldest] = workspaces.keys();
    if (workspaces.size > MOST_WORKSPACES && oldest !== undefined) workspaces.delete(oldest);
    return kept;
  };

  return {
    get: <T>(workspaceId: string, name: string, make: () => Promise<T>): Promise<T> => {
      const kept = keptOf(workspaceId);
      const recent = kept.get(name);
      // The first person may hang up, which ends the calls behind the answer: then the next one reads anew.
      if (recent && recent.until > clock.now()) return (recent.answer as Promise<T>).catch(make);
      const answer = make();
      const entry = { answer, until: clock.now() + KEPT_MS };
      kept.set(name, entry);
      // A failure is told to the one who asked first alone.
      answer.catch(() => kept.get(name) === entry && kept.delete(name));
      return answer;
    },
    forget: (workspaceId) => void workspaces.delete(workspaceId),
  };
}
