import { useEffect, useRef, useState } from 'react';
import type { DraftAnswer, DraftRowAnswer } from '@postroom/app/answers';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useWorkspacePath } from '../api/session.ts';

/**
 * The whole text of a draft, read once its row is on the screen. The date names the state of the draft, so a text that was
 * read is not asked for again when the list is.
 */
export function useDraftText({ id, date }: DraftRowAnswer) {
  const path = useWorkspacePath()(`/drafts/${encodeURIComponent(id)}`);
  const row = useRef<HTMLLIElement>(null);
  const isSeen = useIsSeen(row);
  const { data, isError, refetch } = useQuery<{ draft: DraftAnswer }>({
    queryKey: ['text of a draft', path, date],
    queryFn: ({ signal }) => call('GET', path, { signal }),
    enabled: isSeen,
    staleTime: Infinity,
  });
  const read = async (): Promise<DraftAnswer | undefined> => (await refetch({ cancelRefetch: false })).data?.draft;
  return { row, opened: data?.draft, isError, read };
}

/** Whether an element is on the screen, or was there before. */
function useIsSeen(of: { current: HTMLElement | null }): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || of.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of, isSeen]);
  return isSeen;
}
