import { useEffect, useState } from 'react';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { MailChangeAnswer, MailItemAnswer, PageOf } from '@postroom/app/answers';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';
import { queryClient } from '../api/use-answer.ts';
import { withCursor } from '../url/query.ts';
import { useLiveChanges } from './live-changes.ts';
import { EMPTY_LIST, withChanges, withNewestPage, withNextPage, type MailList } from './mail-list.ts';

const POLL_MS = 10_000;
/** A question that fails once or twice is asked again before anybody is told. */
const FAILURES_TO_TELL = 3;
const KIND = 'mail';

/** Lists stand beside the other answers, and are forgotten with them. */
const keyOf = (path: string) => [path, KIND];

const listAt = (path: string): MailList => queryClient.getQueryData<MailList>(keyOf(path)) ?? EMPTY_LIST;

/** One page of a list at a time: pages that pass each other would leave emails out. */
const reading = new Set<string>();
/** The changes so far. A page that was read while one was made may be older than it. */
let changes = 0;
let underWay = 0;

/** A change of this window begins or ends. */
export function noteChange(by: 1 | -1): void {
  changes += 1;
  underWay += by;
}

export function changeLists(change: (list: MailList) => MailList): void {
  queryClient.setQueriesData<MailList>(
    { predicate: ({ queryKey }) => queryKey[1] === KIND },
    (list) => list && change(list),
  );
}

/** False while a change of this window is under way: what is told may be older, so it is to be told again. */
function takeChanges(emails: string, told: readonly MailChangeAnswer[]): boolean {
  if (underWay > 0) return false;
  for (const [key, list] of queryClient.getQueriesData<MailList>({
    predicate: ({ queryKey }) => queryKey[1] === KIND,
  })) {
    const folderType = new URLSearchParams(String(key[0]).split('?')[1]).get('folderType');
    if (list) queryClient.setQueryData<MailList>(key, withChanges(list, folderType, told));
  }
  if (told.length > 0) void invalidateOpened(emails);
  return true;
}

/** Opened emails, whose threads may have grown; not their bodies, which stay as they are. */
const invalidateOpened = (emails: string): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [path, kind] }) =>
      kind === undefined &&
      typeof path === 'string' &&
      /^\/[^/?]+$/.test(path.slice(emails.length)) &&
      path.startsWith(emails),
  });

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

interface LoadedMail {
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
  const [{ error }, setFailure] = useState<{ error: unknown; count: number }>({ error: null, count: 0 });
  const attempt = (cursor: string, take: ReadPage) =>
    void read(path, cursor, take).then(
      () => setFailure((before) => (before.count === 0 ? before : { error: null, count: 0 })),
      (failure: unknown) =>
        setFailure(({ count }) => ({
          error: cursor !== '' || !listAt(path).isLoaded || count + 1 >= FAILURES_TO_TELL ? failure : null,
          count: count + 1,
        })),
    );
  const readNewest = () => attempt('', listAt(path).isLoaded ? withNewestPage : withNextPage);
  const emails = useWorkspacePath()('/emails');
  useLiveChanges((told) => {
    const isTaken = !reading.has(path) && takeChanges(emails, told);
    if (isTaken && listAt(path).isLoaded) readNewest();
    return isTaken;
  });
  const loadMore = () => {
    const { isLoaded, nextCursor } = listAt(path);
    if (!isLoaded) attempt('', withNextPage);
    else if (nextCursor !== null) attempt(nextCursor, withNextPage);
  };
  useEffect(() => {
    const poll = () => {
      if (document.visibilityState === 'visible') readNewest();
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
