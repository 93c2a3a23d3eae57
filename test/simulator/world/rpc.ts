import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import { fromServiceError, toGrpcStatus } from '@postroom/errors/grpc-status';
import { NobodyAnswered } from '@postroom/errors/unavailable';
import { type Call, type CallContext, DEFAULT_DEADLINE_MS } from '@postroom/rpc/call';
import type { Client, GenericDefinition, GenericMethod, Handlers } from '@postroom/rpc/definition';
import { toBytes } from '@postroom/rpc/piece-writer';
import { onDeath, type Process, within } from './process.ts';

type Handler = (request: unknown, call: Call) => Promise<unknown>;

interface Server {
  process: Process;
  handlers: Readonly<Record<string, Handler>>;
}

/** The processes that serve one definition, and the calls that are held back until one of them is there. */
interface Peers {
  servers: Server[];
  held: Set<() => void>;
}

/** A client notices within this that its connection is gone: so long a call whose messages are lost waits at the most. */
const NOTICED_MS = 12_000;
/** The client of the product holds a call back for so long while no peer is connected. */
const LONGEST_HELD_MS = 3_000;

/** The rpcs of all processes, by the name of their service. */
export interface Network {
  serve<D extends GenericDefinition>(definition: D, process: Process, handlers: Partial<Handlers<D>>): void;
  connect<D extends GenericDefinition>(definition: D, from: Process): Client<D>;
}

/** Calls between processes as messages: each is encoded, may be late or lost, and has the deadline of the contract. */
export function createNetwork(): Network {
  const all = new Map<string, Peers>();
  const peersOf = ({ fullName }: GenericDefinition): Peers => {
    const known = all.get(fullName) ?? { servers: [], held: new Set() };
    all.set(fullName, known);
    return known;
  };
  return {
    serve: (definition, process, handlers) => {
      const { servers, held } = peersOf(definition);
      const server = { process, handlers: handlers as unknown as Server['handlers'] };
      servers.push(server);
      process.onDeath.push(() => void servers.splice(servers.indexOf(server), 1));
      for (const goOn of held) goOn();
    },
    connect: (definition, from) => {
      const call = (key: string, method: GenericMethod) => (request: unknown, context: CallContext) =>
        callOnce({ definition, key, method, from, peers: peersOf(definition) }, request, context);
      const methods = Object.entries(definition.methods).map(([key, method]) => [key, call(key, method)]);
      return Object.fromEntries(methods) as never;
    },
  };
}

interface Line {
  definition: GenericDefinition;
  key: string;
  method: GenericMethod;
  from: Process;
  peers: Peers;
}

/** "No connection established" shows that no handler saw the call. Any other loss does not tell. */
const lost = (details: string): Error => fromServiceError(serviceError({ code: status.UNAVAILABLE, details }));

function serviceError(facts: Partial<ServiceError>): ServiceError {
  return Object.assign(new Error(facts.details), { metadata: new Metadata(), details: '', ...facts }) as ServiceError;
}

async function callOnce(line: Line, request: unknown, context: CallContext): Promise<unknown> {
  const { definition, key, method, from, peers } = line;
  const { servers } = peers;
  const { world } = from;
  const { faults, trace, chance } = world;
  const name = `${definition.name.replace(/Service$/, '')}.${key}`;
  const bytes = toBytes(method.requestType, request);
  const waiting = beginWaiting(from, context);
  const lose = (what: string) => {
    trace.say(from.name, `${name}: the ${what} is lost`);
    world.after(NOTICED_MS, from, () => waiting.reject(lost('Connection dropped')));
  };
  const answer = (give: () => void) =>
    faults.strikes('lostAnswers') ? lose('answer') : void world.after(world.latency(), from, give);
  const heldUntil = world.now() + Math.min(LONGEST_HELD_MS, waiting.leftMs / 2);
  const arrive = () => {
    if (waiting.isOver()) return;
    if (servers.length === 0) {
      if (world.now() < heldUntil) return holdBack(line, heldUntil, arrive);
      trace.say(from.name, `${name}: nobody is there`);
      return waiting.reject(lost('No connection established'));
    }
    const { process, handlers } = chance.pick(servers);
    trace.say(from.name, `calls ${name} of ${process.name}`);
    const forget = onDeath(process, () => answer(() => waiting.reject(lost('Connection dropped'))));
    const call = callOf(process, { operationId: from.context.ids('op'), ...context }, waiting);
    world.after(0, process, () => {
      void within(process, async () => handlers[key]?.(method.requestType.decode(bytes), call))
        .then((reply) => method.responseType.decode(toBytes(method.responseType, reply)))
        .finally(forget)
        .then(
          (reply) => answer(() => waiting.resolve(reply)),
          (error: unknown) => answer(() => waiting.reject(fromServiceError(serviceError(toGrpcStatus(error))))),
        );
    });
  };
  if (faults.strikes('lostCalls')) lose('call');
  else world.after(world.latency(), from, arrive);
  return waiting.answer;
}

function holdBack({ from, peers: { held } }: Line, until: number, arrive: () => void): void {
  const { world } = from;
  const goOn = () => {
    held.delete(goOn);
    cancel();
    if (from.isAlive) world.after(world.latency(), from, arrive);
  };
  const cancel = world.after(until - world.now(), from, () => {
    held.delete(goOn);
    arrive();
  });
  held.add(goOn);
}

type Waiting = ReturnType<typeof beginWaiting>;

/** A caller waits for an answer until its deadline passes, its signal is aborted or it dies. */
function beginWaiting(from: Process, { deadline, signal }: CallContext) {
  let resolve: (reply: unknown) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const answer = new Promise<unknown>((...ends) => ([resolve, reject] = ends));
  let isOver = false;
  let left: AbortController | undefined;
  const leftMs = deadline === undefined ? DEFAULT_DEADLINE_MS : deadline - from.context.clock.now();
  const end = () => {
    isOver = true;
    left?.abort(new Error('the caller has left'));
    cancel();
    forget();
    signal?.removeEventListener('abort', abort);
  };
  const cancel = from.world.after(leftMs, from, () => refuse(new NobodyAnswered(new ApiError('QUERY_TIMEOUT'))));
  const forget = onDeath(from, end);
  const refuse = (error: Error) => {
    end();
    reject(error);
  };
  const abort = () => refuse(toApiError(signal?.reason));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    answer,
    leftMs,
    isOver: () => isOver,
    /** Made when it is asked for, as in the product: a signal takes longer than most handlers. */
    get signal() {
      left ??= new AbortController();
      if (isOver) left.abort(new Error('the caller has left'));
      return left.signal;
    },
    reject: refuse,
    resolve: (reply: unknown) => {
      end();
      resolve(reply);
    },
  };
}

function callOf(process: Process, context: CallContext, waiting: Waiting): Call {
  const { clock, log } = process.context;
  const deadline = clock.now() + waiting.leftMs;
  const { workspaceId = '', requestId = '', operationId = '' } = context;
  const remainingMs = () => Math.max(1, deadline - clock.now());
  return {
    workspaceId,
    requestId,
    operationId,
    deadline,
    remainingMs,
    log,
    get signal() {
      return waiting.signal;
    },
  };
}
