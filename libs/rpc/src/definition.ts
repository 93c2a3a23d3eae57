import type { MethodDefinition as GrpcMethod, ServiceDefinition as GrpcService } from '@grpc/grpc-js';
import type { Call, CallContext } from './call.ts';
import { toBytes, type Codec } from './piece-writer.ts';
import { asToken, type Token } from './token.ts';

export interface GenericMethod {
  readonly name: string;
  readonly requestType: Codec;
  readonly requestStream: boolean;
  readonly responseType: Codec;
  /** Only false is served: a page is one message, and a stream of answers has no use here yet. */
  readonly responseStream: false;
  readonly options: { readonly idempotencyLevel?: 'IDEMPOTENT' | 'NO_SIDE_EFFECTS' };
}

/** A service as ts-proto writes it with `outputServices=generic-definitions`. */
export interface GenericDefinition {
  readonly name: string;
  readonly fullName: string;
  readonly methods: Readonly<Record<string, GenericMethod>>;
}

export type MessageOf<C extends Codec> = ReturnType<C['decode']>;
type Incoming<M extends GenericMethod> = M['requestStream'] extends true
  ? AsyncIterable<MessageOf<M['requestType']>>
  : MessageOf<M['requestType']>;
type Outgoing<M extends GenericMethod> = M['requestStream'] extends true
  ? AsyncIterable<MessageOf<M['requestType']>> | Iterable<MessageOf<M['requestType']>>
  : MessageOf<M['requestType']>;

/** One async function per method: what it returns is the answer, what it throws becomes a status. */
export type Handlers<D extends GenericDefinition> = {
  [M in keyof D['methods']]: (
    request: Incoming<D['methods'][M]>,
    call: Call,
  ) => Promise<MessageOf<D['methods'][M]['responseType']>>;
};

export type Client<D extends GenericDefinition> = {
  [M in keyof D['methods']]: (
    request: Outgoing<D['methods'][M]>,
    context: CallContext,
  ) => Promise<MessageOf<D['methods'][M]['responseType']>>;
};

/** A definition with its handlers, their types checked against each other and then no longer needed. */
export interface Implementation {
  readonly definition: GenericDefinition;
  readonly handlers: Readonly<Record<string, (request: never, call: Call) => Promise<unknown>>>;
  readonly later: readonly string[];
  /** The token that callers need. Without one, every client that reaches the port may call. */
  readonly token?: Token;
}

/** A rpc that is declared and not built yet is named in `later`: it answers UNIMPLEMENTED, and none is left out unseen. */
export function implement<D extends GenericDefinition, Later extends keyof D['methods'] = never>(
  definition: D,
  handlers: Omit<Handlers<D>, Later>,
  later: readonly Later[] = [],
): Implementation {
  return { definition, handlers: handlers as Implementation['handlers'], later: later as readonly string[] };
}

export function pathOf({ fullName }: GenericDefinition, { name }: GenericMethod): string {
  return `/${fullName}/${name}`;
}

/** Whether a call may run twice, which is what becomes of one whose connection breaks. */
export function isRepeatable({ requestStream, options }: GenericMethod): boolean {
  return !requestStream && options.idempotencyLevel === 'NO_SIDE_EFFECTS';
}

export function toGrpcMethod(definition: GenericDefinition, method: GenericMethod): GrpcMethod<unknown, unknown> {
  return {
    path: pathOf(definition, method),
    requestStream: method.requestStream,
    responseStream: method.responseStream,
    requestSerialize: (message) => toBytes(method.requestType, message),
    requestDeserialize: (bytes) => method.requestType.decode(bytes),
    responseSerialize: (message) => toBytes(method.responseType, message),
    responseDeserialize: (bytes) => method.responseType.decode(bytes),
  };
}

export function toGrpcService(definition: GenericDefinition): GrpcService {
  const methods = Object.entries(definition.methods).map(([key, method]) => [key, toGrpcMethod(definition, method)]);
  return Object.fromEntries(methods) as GrpcService;
}

/** The same service, for those alone who bring the token. */
export function withToken(implementation: Implementation, token: string | Token): Implementation {
  return { ...implementation, token: asToken(token) };
}
