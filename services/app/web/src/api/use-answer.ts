import {
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
} from '@tanstack/react-query';
import { call } from './call.ts';
import { AppFault } from './fault.ts';

const FRESH_MS = 5_000;
const RETRIES = 2;

/** A refusal is the same the next time; only failures of the way or of the server are worth another try. */
const isWorthRetrying = (failures: number, error: Error) =>
  failures < RETRIES && error instanceof AppFault && (error.status === 0 || error.status >= 500);

export const SESSION_PATH = '/session';

/** A session that ended is noticed by whichever call meets it first; the pages then give way to the sign-in. */
const noticeEndOfSession = (error: Error) => {
  if (error instanceof AppFault && error.code === 'SIGN_IN_REQUIRED') {
    void queryClient.invalidateQueries({ queryKey: [SESSION_PATH] });
  }
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: isWorthRetrying, refetchOnWindowFocus: true } },
});

interface AnswerOptions<Answer> {
  /** The time until it is asked again; it may depend on the latest answer. */
  everyMs?: number | false | ((answer: Answer | undefined) => number | false);
  /** The answer for other filters stays until the new one is there. */
  keepsPrevious?: boolean;
}

/** The answer of `GET path`; nothing is asked while the path is null. */
export function useAnswer<Answer>(
  path: string | null,
  { everyMs = false, keepsPrevious = false }: AnswerOptions<Answer> = {},
) {
  return useQuery<Answer>({
    queryKey: [path],
    queryFn: ({ signal }) => call<Answer>('GET', path ?? '', { signal }),
    enabled: path !== null,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : everyMs,
    ...(keepsPrevious && { placeholderData: (previous) => previous }),
  });
}

/** A change; afterwards everything under the given paths is asked again. */
export function useChange<Input, Output>(
  run: (input: Input) => Promise<Output>,
  changedPaths: readonly string[],
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      void invalidate(client, changedPaths);
    },
  });
}

export function invalidate(client: QueryClient, paths: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => paths.some((changed) => typeof path === 'string' && path.startsWith(changed)),
  });
}
