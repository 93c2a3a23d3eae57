import type { Actor } from '@postroom/contract/actor';
import { isErrorCode } from '@postroom/errors/catalogue';
import { toApiError } from '@postroom/errors/api-error';
import type { Call } from './call.ts';
import type { GenericDefinition, GenericMethod, Handlers, MessageOf } from './definition.ts';

/** The thing that an entry is about. The name is what people call it; never a text of a mail. */
export interface AuditTarget {
  kind: string;
  id: string;
  name?: string | undefined;
}

export interface AuditEntry {
  id: string;
  workspaceId: string;
  actor: Actor;
  /** A thing and what was done to it, such as `key.created`. */
  action: string;
  target: AuditTarget;
}

export interface AuditTrail {
  /** Stores an entry with an unknown outcome. Returns false when a former attempt of the operation has stored it. */
  begin(entry: AuditEntry): Promise<boolean>;
  /** The change was made. */
  finish(entry: AuditEntry): Promise<void>;
  /** The change was refused, so there is nothing to tell. */
  drop(entry: AuditEntry): Promise<void>;
}

/** The words that tell of a call. The answer is there once the change was made. */
export interface AuditedMethod<Request, Answer> {
  action: string | ((request: Request) => string);
  target(request: Request, answer?: Answer): AuditTarget;
  /** The workspaces that are told; that of the call unless given. */
  workspaces?(request: Request, call: Call): Promise<readonly string[]>;
}

/** A method that no person asks for, or that tells its entries itself. */
type NotAudited = 'not audited';
type Reads = { options: { idempotencyLevel: 'NO_SIDE_EFFECTS' } };
type Changing<D extends GenericDefinition> = {
  [M in keyof D['methods']]: D['methods'][M] extends Reads ? never : M;
}[keyof D['methods']];
type AuditOf<M extends GenericMethod> = AuditedMethod<MessageOf<M['requestType']>, MessageOf<M['responseType']>>;

/** Every method that changes something, so that none is forgotten: without its line a service does not compile. */
export type AuditTable<D extends GenericDefinition> = {
  [M in Changing<D>]: AuditOf<D['methods'][M]> | NotAudited;
};

type AnyHandler = (request: unknown, call: Call) => Promise<unknown>;
type AnyAudit = AuditedMethod<unknown, unknown>;

/**
 * Writes an entry for each change that somebody asks for. The entry comes first, with an unknown outcome, and is finished
 * after the change. A process that dies in between leaves an entry of unknown outcome, and never a change without an entry.
 */
export function audited<D extends GenericDefinition>(
  handlers: Handlers<D>,
  table: AuditTable<D>,
  trail: AuditTrail,
): Handlers<D> {
  const wrapped = Object.entries(table as Record<string, AnyAudit | NotAudited>).flatMap(([name, audit]) => {
    const handler = (handlers as Record<string, unknown>)[name] as AnyHandler;
    return audit === 'not audited' ? [] : [[name, tell(handler, audit, name, trail)] as const];
  });
  return { ...handlers, ...Object.fromEntries(wrapped) } as Handlers<D>;
}

function tell(handler: AnyHandler, audit: AnyAudit, name: string, trail: AuditTrail): AnyHandler {
  const { action, target } = audit;
  return async (request, call) => {
    const { actor } = call;
    if (!actor) return handler(request, call);
    const workspaces = (await audit.workspaces?.(request, call)) ?? [call.workspaceId];
    const entries = workspaces.map((workspaceId) => ({
      id: JSON.stringify([workspaceId, name, call.operationId]),
      workspaceId,
      actor,
      action: typeof action === 'string' ? action : action(request),
      target: target(request),
    }));
    return withEntries(
      trail,
      entries,
      () => handler(request, call),
      (answer) => target(request, answer),
    );
  };
}

/** Makes a change between the begin and the end of its entries. */
export async function withEntries<T>(
  trail: AuditTrail,
  entries: readonly AuditEntry[],
  change: () => Promise<T>,
  targetOf: (answer: T) => AuditTarget,
): Promise<T> {
  const begun = await Promise.all(entries.map((entry) => trail.begin(entry)));
  let answer: T;
  try {
    answer = await change();
  } catch (error) {
    // An entry of a former attempt tells of what that attempt may have done.
    const mine = entries.filter((_entry, index) => begun[index]);
    if (isRefusal(error)) await Promise.all(mine.map((entry) => trail.drop(entry)));
    throw error;
  }
  const target = targetOf(answer);
  await Promise.all(entries.map((entry) => trail.finish({ ...entry, target })));
  return answer;
}

/** After any other error it is not known whether the change was made. */
function isRefusal(error: unknown): boolean {
  const { code } = toApiError(error);
  return isErrorCode(code) && code !== 'INTERNAL_ERROR' && code !== 'QUERY_TIMEOUT';
}
