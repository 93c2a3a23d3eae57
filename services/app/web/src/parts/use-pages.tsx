import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { PageOf } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { FaultNote } from './fault-note.tsx';
import { RowsSkeleton } from './skeletons.tsx';
import { withCursor } from '../url/query.ts';

/** A list that comes page by page. The path may have a query already, as `withQuery` writes it. */
export function usePages<Item>(path: string) {
  return useInfiniteQuery({
    queryKey: [path, 'pages'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => call<PageOf<Item>>('GET', withCursor(path, pageParam), { signal }),
    getNextPageParam: ({ nextCursor, hasMore }) => (hasMore ? nextCursor : undefined),
  });
}

interface Props<Item> {
  of: ReturnType<typeof usePages<Item>>;
  empty: React.ReactNode;
  children(items: Item[]): React.ReactNode;
}

/** The items so far, and the button for more. */
export function Pages<Item>({
  of: { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage },
  empty,
  children,
}: Props<Item>) {
  if (!data) return error ? <FaultNote error={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      {error && <FaultNote error={error} />}
      {hasNextPage && (
        <Button mt={12} variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
