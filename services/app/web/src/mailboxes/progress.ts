import type { SyncAnswer } from '@postroom/app/answers';

type Sync = Pick<SyncAnswer, 'folders'> | null;

/** A first sync is over when each folder was read to its end once. */
export function isFirstSync(sync: Sync): boolean {
  return sync !== null && (sync.folders.length === 0 || sync.folders.some(({ isComplete }) => !isComplete));
}

export function progressOfSync(sync: Sync): { done: number; total: number; percent: number } {
  const folders = sync?.folders ?? [];
  const done = folders.reduce((sum, folder) => sum + folder.done, 0);
  const total = folders.reduce((sum, folder) => sum + Math.max(folder.total, folder.done), 0);
  const isOver = folders.length > 0 && folders.every(({ isComplete }) => isComplete);
  // A folder is counted before it is read: what is whole is said only at the end.
  const percent = isOver ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
  return { done, total, percent };
}
