import type { ApiAnswer } from './read-answer.ts';

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Every item of every page of a listing, fetched as they are taken. */
export async function* each<T, P extends { cursor?: string } | undefined, O>(
  list: (params: P, options?: O) => Promise<ApiAnswer<Page<T>>>,
  params?: P,
  options?: O,
): AsyncGenerator<T, void, undefined> {
  let cursor = params?.cursor;
  do {
    const { data } = await list({ ...params, ...(cursor !== undefined && { cursor }) } as P, options);
    yield* data.items;
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
