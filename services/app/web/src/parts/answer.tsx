import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { FaultNote } from './fault-note.tsx';
import { RowsSkeleton } from './skeletons.tsx';

interface Props<Data> {
  of: UseQueryResult<Data>;
  rows?: number;
  children(data: Data): ReactNode;
}

/** Shows an answer once it is there; skeletons until then, and the refusal where there is one. */
export function Answer<Data>({ of: { data, error, refetch }, rows, children }: Props<Data>) {
  if (data !== undefined) return children(data);
  if (error) return <FaultNote error={error} retry={() => void refetch()} />;
  return <RowsSkeleton rows={rows} />;
}
