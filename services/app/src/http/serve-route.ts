import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Feature } from '@postroom/contract/lists';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import type { Observe } from '@postroom/http/observe';
import { clientAddress } from '@postroom/runtime/client-address';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';
import type { BytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { AppRoute, AppServices, FileAnswer, FrameAnswer, TextAnswer, PageVisit } from '../routes/table.ts';
import { admitPerson } from './admit-person.ts';
import { readInput } from './read-input.ts';
import type { RecentAnswers } from './recent-answers.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sendError, sendFile, sendFrame, sendJson, sendNothing, sendText } from './send.ts';
import { runCall, limitOwner, type CallLimits } from './call-limits.ts';
import type { SessionCookie } from './session-cookie.ts';
import { sendWithinMemory } from './within-memory.ts';

export interface RouteDeps {
  services: AppServices;
  cookie: SessionCookie;
  origins: ReadonlySet<string>;
  proxies: number;
  callLimits: CallLimits;
  /** Limits the bytes of files and frames that this process holds at once. */
  memory: BytesInFlight;
  recent: RecentAnswers;
  features: readonly Feature[];
  appUrl: string;
  apiUrl: string | null;
  observe: Observe;
  context: ServiceContext;
}

/** A path of /app/api that no route has. */
export const UNKNOWN = {
  method: 'GET',
  path: 'unknown',
  needs: 'anyone',
  call: () => Promise.reject(new ApiError('NOT_FOUND')),
} as const satisfies AppRoute;

/** Answers one request: origin, session and role first, then the input, then the call. */
export async function serveRoute(
  route: AppRoute,
  request: IncomingMessage,
  response: ServerResponse,
  params: Record<string, string>,
  deps: RouteDeps,
): Promise<void> {
  const { context, observe } = deps;
  let startedAt = performance.now();
  let changedWorkspaceId: string | undefined;
  const requestId = context.ids('req');
  response.setHeader('X-Request-Id', requestId);
  try {
    requireSameOrigin(request.method ?? '', request.headers, deps.origins);
    const visit = visitOf(request, response, requestId, deps);
    const admitted = await admitPerson(route, params, visit, deps);
    if ('role' in admitted && route.method !== 'GET') changedWorkspaceId = admitted.workspaceId;
    const input = await readInput(route, request, params);
    const owner = limitOwner(admitted);
    const answer = await runCall(deps.callLimits, admitted, () =>
      Promise.resolve(route.call(input, deps.services, admitted)),
    );
    const answeredAt = performance.now();
    if (isText(answer)) await deps.callLimits.streams.run(owner, () => sendText(response, answer));
    else if (isFile(answer) || isFrame(answer)) await sendHeavy(response, answer, owner, deps);
    else if (route.status === 204) sendNothing(response);
    else sendJson(response, route.status ?? 200, answer);
    // A stream counts until its head: the steps of a mail server say nothing about the app.
    startedAt += performance.now() - answeredAt;
  } catch (thrown) {
    const error = toApiError(thrown);
    // A browser that leaves while it sends breaks its own request.
    if (error.code === 'INTERNAL_ERROR' && !request.errored)
      context.log.error({ err: error.cause ?? error, requestId }, 'unexpected failure');
    if (response.headersSent) response.destroy();
    else sendError(response, error);
  } finally {
    // Also after a failure, because its change may have been made; and after a stream, whose change is made on its way.
    if (changedWorkspaceId !== undefined) deps.recent.forget(changedWorkspaceId);
  }
  const method = route.path === 'unknown' ? 'other' : route.method;
  observe(
    { route: `/app/api${route.path}`, method, sentMethod: request.method, requestId },
    response.statusCode,
    startedAt,
  );
}

function sendHeavy(
  response: ServerResponse,
  answer: FileAnswer | FrameAnswer,
  owner: string,
  { memory }: RouteDeps,
): Promise<void> {
  return sendWithinMemory(response, { memory, owner, weight: answer.weight }, async (signal) => {
    if (isFile(answer)) sendFile(response, answer.fileName, await answer.file(signal));
    else sendFrame(response, await answer.frame(signal));
  });
}

function visitOf(request: IncomingMessage, response: ServerResponse, requestId: string, deps: RouteDeps): PageVisit {
  const { cookie, features, appUrl, apiUrl, context } = deps;
  const now = context.clock.now();
  return {
    requestId,
    now,
    deadline: now + timeLimits.requestMs,
    token: cookie.tokenIn(request.headers.cookie),
    visitor: { address: clientAddress(request, deps.proxies), userAgent: request.headers['user-agent'] ?? '' },
    signIn: (token) => response.setHeader('Set-Cookie', cookie.set(token)),
    signOut: () => response.setHeader('Set-Cookie', cookie.cleared()),
    features,
    appUrl,
    apiUrl,
  };
}

const isText = (answer: object): answer is TextAnswer => 'pieces' in answer;
const isFile = (answer: object): answer is FileAnswer => 'file' in answer;
const isFrame = (answer: object): answer is FrameAnswer => 'frame' in answer;
