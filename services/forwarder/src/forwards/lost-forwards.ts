import type { Classified, ClassifiedPosition } from './sweep-store.ts';

/** An email whose forward may be lost, until its rules have run. */
export interface Lost extends Classified {
  failures: number;
}

interface Held {
  waiting: Map<string, Lost>;
  /** Set where a workspace has more emails than are held of it at once: they are read again from here. */
  readFrom?: ClassifiedPosition;
}

export type LostForwards = ReturnType<typeof createLostForwards>;

/**
 * The lost emails of each workspace that has some. A workspace with too many of them is behind: it is read apart from the
 * others, which so need not wait for it.
 */
export function createLostForwards(mostWaiting: number) {
  const held = new Map<string, Held>();
  const of = (workspaceId: string): Held => {
    const known = held.get(workspaceId);
    if (known) return known;
    const fresh: Held = { waiting: new Map() };
    held.set(workspaceId, fresh);
    return fresh;
  };
  return {
    has: (workspaceId: string, emailId: string): boolean => held.get(workspaceId)?.waiting.has(emailId) === true,
    isBehind: (workspaceId: string): boolean => held.get(workspaceId)?.readFrom !== undefined,
    waiting: (workspaceId: string): Lost[] => [...(held.get(workspaceId)?.waiting.values() ?? [])],

    /** False where there is no room for one more email of its workspace. */
    add(one: Classified): boolean {
      const { waiting, readFrom } = of(one.workspaceId);
      if (readFrom) return true;
      if (waiting.size >= mostWaiting) return false;
      waiting.set(one._id, { ...one, failures: 0 });
      return true;
    },

    /** One that is behind already stays as far behind as it is. */
    fallBehind(workspaceId: string, from: ClassifiedPosition): void {
      const one = of(workspaceId);
      if (!one.readFrom || from.createdAt < one.readFrom.createdAt) one.readFrom = from;
    },

    /** The position from which a workspace is read apart. It counts as read from there, until it falls behind again. */
    catchUp(workspaceId: string): ClassifiedPosition | undefined {
      const { readFrom } = of(workspaceId);
      delete of(workspaceId).readFrom;
      return readFrom;
    },

    done(workspaceId: string, emailId: string): void {
      of(workspaceId).waiting.delete(emailId);
    },

    /** Workspaces with lost emails, in rotation. */
    next(most: number): string[] {
      for (const [id, { waiting, readFrom }] of held) if (waiting.size === 0 && !readFrom) held.delete(id);
      const ids = [...held.keys()].slice(0, most);
      for (const id of ids) {
        const one = of(id);
        held.delete(id);
        held.set(id, one);
      }
      return ids;
    },
  };
}
