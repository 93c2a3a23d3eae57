import type { Feature } from '@postroom/contract/lists';
import type { Role } from '@postroom/contract/roles';
import type { Visitor } from '@postroom/proto/postroom/v1/identity';
import type { CallContext } from '@postroom/rpc/call';
import type { z } from 'zod';
import type { FramePage } from '../frame/frame-page.ts';
import type { AppServices } from './services.ts';

/** One request, as a route sees it. It is also valid as the context of a gRPC call. */
export interface PageVisit extends CallContext {
  visitor: Visitor;
  /** The time by the clock of the service. */
  now: number;
  /** Signs the browser in: its cookie becomes this token. */
  signIn(token: string): void;
  signOut(): void;
  /** The token of the cookie that came; empty without one. */
  token: string;
  features: readonly Feature[];
  /** The address that people open, without a path. */
  appUrl: string;
  apiUrl: string | null;
}

export interface PersonalVisit extends PageVisit {
  personId: string;
  sessionId: string;
}

export interface WorkspaceVisit extends PersonalVisit {
  workspaceId: string;
  role: Role;
  /** An answer that is the same for all people of the workspace, and may be some seconds old. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** Everybody, everybody who is signed in, or members of the workspace of the path with at least this role. */
type Needs = 'anyone' | 'person' | Role;

type VisitOf<N extends Needs> = N extends 'anyone' ? PageVisit : N extends 'person' ? PersonalVisit : WorkspaceVisit;
type PathOf<N extends Needs> = N extends Role ? `/workspaces/{workspaceId}/${string}` : `/${string}`;
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;

/** An answer that is no JSON: its pieces are sent as they come. */
export interface TextAnswer {
  type: 'application/x-ndjson' | 'text/csv; charset=utf-8';
  fileName?: string;
  pieces: AsyncIterable<string>;
}

/** A page of its own origin that shows an email. It is made once there is memory for it. */
export interface FrameAnswer {
  frame(signal: AbortSignal): Promise<FramePage>;
  /** About the bytes that it takes in memory. */
  weight: number;
}

/** Bytes that the browser saves as a file and never shows. They are loaded once there is memory for them. */
export interface FileAnswer {
  file(signal: AbortSignal): Promise<Buffer>;
  fileName: string;
  /** About the bytes that they take in memory. */
  weight: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Spec<N extends Needs, Path extends string, Query extends z.ZodType, Body extends z.ZodType> {
  method: Method;
  /** Relative to /app/api, with parameters in braces. */
  path: Path & PathOf<N>;
  needs: N;
  /** The route exists only where this part is open. */
  feature?: Feature;
  query?: Query;
  body?: Body;
  /** 200 unless it says otherwise; 204 has no body. */
  status?: 201 | 202 | 204;
  call(
    input: { params: PathParams<Path>; query: z.output<Query>; body: z.output<Body> },
    services: AppServices,
    visit: VisitOf<N>,
  ): Promise<object>;
}

/** A route with its types checked and forgotten: sessions, roles and validation read it. */
export interface AppRoute {
  method: Method;
  path: string;
  needs: Needs;
  feature?: Feature;
  query?: z.ZodType;
  body?: z.ZodType;
  status?: 201 | 202 | 204;
  call(
    input: { params: Record<string, string>; query: unknown; body: unknown },
    services: AppServices,
    visit: PageVisit,
  ): Promise<object>;
}

export function defineAppRoute<
  const N extends Needs,
  const Path extends string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
>(spec: Spec<N, Path, Query, Body>): AppRoute {
  return spec as unknown as AppRoute;
}
