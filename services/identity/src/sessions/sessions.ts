import { createHash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { PersonDocument, SessionDocument } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { IdentityServiceDefinition, Session, Visitor } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SignInLog } from '../sign-in-log/sign-in-log.ts';
import type { SessionStore } from './session-store.ts';

export type { SessionStore } from './session-store.ts';

export interface PersonSessionDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  sessions: SessionStore;
  signInLog: SignInLog;
}

const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const MOST_MS = 7 * 24 * HOUR_MS;
/** The last use is written once a minute at most. */
const PRECISION_MS = 60_000;
const USER_AGENT_LENGTH = 300;

/** Secrets are given to their owners once, and nothing but this hash is stored. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export function sessionHandlers({ sessions, context }: Pick<PersonSessionDeps, 'sessions' | 'context'>) {
  return {
    listSessions: async ({ personId }, call) => ({
      items: (await sessions.list(personId, context.clock.date(), call)).map(toMessageSession),
    }),

    endSession: async ({ personId, sessionId }, call) => {
      await sessions.end(personId, sessionId, call);
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/** The earlier of two ends: twelve hours without use, and seven days after the sign-in. */
function endOf(createdAt: Date, lastSeenAt: Date): Date {
  return new Date(Math.min(lastSeenAt.getTime() + IDLE_MS, createdAt.getTime() + MOST_MS));
}

export interface OpenedSession {
  token: string;
  session: SessionDocument;
}

/** The person as the way in found them: a session opened by an older proof of the address sets up no other way in. */
type SignedInPerson = Pick<PersonDocument, '_id' | 'proofId'>;

export async function beginSession(
  { _id: personId, proofId }: SignedInPerson,
  visitor: Visitor | undefined,
  { sessions, signInLog, context }: PersonSessionDeps,
): Promise<OpenedSession> {
  const now = context.clock.date();
  const token = context.ids('session');
  const session: SessionDocument = {
    _id: hashOfToken(token),
    publicId: context.ids('ses'),
    personId,
    proofId: proofId ?? null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: endOf(now, now),
    address: visitor?.address ?? '',
    userAgent: (visitor?.userAgent ?? '').slice(0, USER_AGENT_LENGTH),
  };
  await signInLog.signedIn(personId, session.address);
  await sessions.insert(session);
  return { token, session };
}

/** A way to sign in, which may be taken away while somebody uses it. */
export interface SignInWay {
  /** Asked once the session is stored, so that a call that takes the way away and then ends the sessions finds this one. */
  isStillThere(): Promise<boolean>;
  refusal(): ApiError;
}

/** No token is given out when the way was taken away meanwhile. */
export async function beginSessionBy(
  way: SignInWay,
  person: SignedInPerson,
  visitor: Visitor | undefined,
  deps: PersonSessionDeps,
  budget: TimeBudget,
): Promise<OpenedSession> {
  const opened = await beginSession(person, visitor, deps);
  if (await way.isStillThere()) return opened;
  await deps.sessions.end(person._id, opened.session.publicId, budget);
  throw way.refusal();
}

/** The session in which a person sets up a way to sign in. */
export async function requireOpenSession(
  { personId, sessionId }: { personId: string; sessionId: string },
  budget: TimeBudget,
  { sessions, context }: Pick<PersonSessionDeps, 'sessions' | 'context'>,
): Promise<SessionDocument> {
  const session = await sessions.findOpen(personId, sessionId, context.clock.date(), budget);
  if (!session) throw new ApiError('SIGN_IN_REQUIRED');
  return session;
}

/** The session as it is after this use; null when there is none, or when it has ended. */
export async function useSession(
  token: string,
  { sessions, context }: Pick<PersonSessionDeps, 'sessions' | 'context'>,
  budget: TimeBudget,
): Promise<SessionDocument | null> {
  const session = await sessions.find(hashOfToken(token), budget);
  const now = context.clock.date();
  if (!session || session.expiresAt <= now) return null;
  if (now.getTime() - session.lastSeenAt.getTime() < PRECISION_MS) return session;
  const times = { lastSeenAt: now, expiresAt: endOf(session.createdAt, now) };
  await sessions.extend(session._id, times, budget);
  return { ...session, ...times };
}

export function toMessageSession({
  publicId,
  createdAt,
  lastSeenAt,
  expiresAt,
  address,
  userAgent,
}: SessionDocument): Session {
  return {
    id: publicId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent,
  };
}
