import { isUnavailable } from '@postroom/errors/unavailable';
import type { NewChange } from './new-change.ts';
import type { AppendAll } from './append.ts';

const MOST_AT_ONCE = 500;

interface Waiting {
  change: NewChange;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Events of one workspace that come while a batch is written are the next batch. Resolves when the event is in the feed.
 * Where a batch fails, each of its events is tried alone, so that one that fails keeps no other out.
 */
export function createBatches(append: AppendAll) {
  const lines = new Map<string, Waiting[]>();

  const write = async (workspaceId: string, batch: readonly Waiting[]): Promise<void> => {
    try {
      await append(
        workspaceId,
        batch.map(({ change }) => change),
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // No event of the batch is to blame, and each would wait for the database alone.
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await write(workspaceId, [one]);
    }
  };
  const work = async (workspaceId: string, line: Waiting[]): Promise<void> => {
    while (line.length > 0) await write(workspaceId, line.splice(0, MOST_AT_ONCE));
    lines.delete(workspaceId);
  };

  return (workspaceId: string, change: NewChange): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = lines.get(workspaceId);
      if (line) return void line.push({ change, resolve, reject });
      const first = [{ change, resolve, reject }];
      lines.set(workspaceId, first);
      // Events of the same moment go with it.
      setImmediate(() => void work(workspaceId, first));
    });
}
