import type { IncomingMessage } from 'node:http';
import { bounds } from '@postroom/contract/bounds';
import { refuseAll } from '@postroom/errors/refuse';
import { faultSentence } from '@postroom/http/fault-sentences';
import { faultsOf } from '@postroom/http/faults';
import { readBytes } from '@postroom/http/read-bytes';
import { readJson } from '@postroom/http/read-json';
import { readQuery } from '@postroom/http/read-query';
import type { AppRoute } from '../routes/table.ts';

interface RouteInput {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** Reads and checks what came, and names each faulty field. */
export async function readInput(
  { query, body }: Pick<AppRoute, 'query' | 'body'>,
  request: IncomingMessage,
  params: Record<string, string>,
): Promise<RouteInput> {
  const readable = query ? readQuery(request.url ?? '', query) : { value: undefined };
  const parsed = body?.safeParse(await readBody(request), { error: faultSentence });
  const faults = { ...('faults' in readable && readable.faults), ...(parsed?.error && faultsOf(parsed.error)) };
  if (Object.keys(faults).length > 0) refuseAll(faults);
  return { params, query: 'value' in readable ? readable.value : undefined, body: parsed?.data };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, bounds.request.bodyBytes);
  return bytes.length === 0 ? undefined : readJson(bytes, request.headers);
}
