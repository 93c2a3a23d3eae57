import { useEffect, useState } from 'react';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { MailItemAnswer, PageOf } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { queryClient } from '../api/use-answer.ts';
import { withCursor } from '../url/query.ts';
import { EMPTY_LIST, withNewestPage, withNextPage, type MailList } from './mail-list.ts';

const POLL_MS = 10_000;
const KIND = 'mail';

/** Lists stand beside the other answers, and are forgotten with them. */
const keyOf = (path: string) => [path, KIND];

const listAt = (path: string): MailList => queryClient.getQueryData<MailList>(keyOf(path)) ?? EMPTY_LIST;

/** One page of a list at a time: pages that pass each other would leave emails out. */
const reading = new Set<string>();
/** The changes so far. A page that was read while one was made may be older than it. */
let changes = 0;

export const noteChange = (): number => (changes += 1);

export function changeLists(change: (list: MailList) => MailList): void {
  queryClient.setQueriesData<MailList>(
    { predicate: ({ queryKey }) => queryKey[1] === KIND },
    (list) => list && change(list),
  );
}

type ReadPage = (list: MailList, page: PageOf<MailItemAnswer>) => MailList;

async function read(path: string, cursor: string, take: ReadPage): Promise<void> {
  if (reading.has(path)) return;
  reading.add(path);
  const before = changes;
  try {
    const page = await call<PageOf<MailItemAnswer>>('GET', withCursor(path, cursor));
    const isPoll = cursor === '' && listAt(path).isLoaded;
    if (isPoll && before !== changes) return;
    queryClient.setQueryData<MailList>(keyOf(path), (list = EMPTY_LIST) => take(list, page));
  } finally {
    reading.delete(path);
  }
}

export interface LoadedMail {
  list: MailList;
  error: unknown;
  loadMore(): void;
}

/** The list of a path: its first page at once, further ones when asked for, and the newest again and again. */
export function useMailList(path: string): LoadedMail {
  const { data: list = EMPTY_LIST } = useQuery<MailList>({
    queryKey: keyOf(path),
    queryFn: skipToken,
    // A comparison of a hundred thousand emails at each change would be felt.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const [error, setError] = useState<unknown>(null);
  const attempt = (cursor: string, take: ReadPage) =>
    void read(path, cursor, take).then(() => setError(null), setError);
  const loadMore = () => {
    const { isLoaded, nextCursor } = listAt(path);
    if (!isLoaded) attempt('', withNextPage);
    else if (nextCursor !== null) attempt(nextCursor, withNextPage);
  };
  useEffect(() => {
    const poll = () => {
      if (document.visibilityState === 'visible') attempt('', listAt(path).isLoaded ? withNewestPage : withNextPage);
    };
    poll();
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener('visibilitychange', poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [path]);
  return { list, error, loadMore };
}
