import { useSearchParams } from 'wouter';
import { readState, withChanges } from './query.ts';

/** The state of a page that its address keeps: a reload, a bookmark and the back key find it again. */
export function useUrlState<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  /** Without an entry of its own in the browser's history where it replaces. */
  const change = (changes: Partial<Record<Name, string | null>>, options?: { replace: boolean }) =>
    setParams((present) => withChanges(present, changes), options);
  return [readState(params, names), change] as const;
}
