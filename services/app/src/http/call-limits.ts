import { ApiError } from '@postroom/errors/api-error';
import { createFairLimit, type FairLimit } from '@postroom/runtime/fair-limit';
import type { PageVisit, PersonalVisit, WorkspaceVisit } from '../routes/table.ts';

/** The part of the app that one workspace, or one visitor without one, can use at once. */
export interface CallLimits {
  calls: FairLimit;
  /** Of the calls of a workspace, those of one person: the others of the workspace go on beside them. */
  people: FairLimit;
  /** Exports and logins at mail servers: they last as long as the browser or the server takes. */
  streams: FairLimit;
}

const CALLS = 16;
const WAITING = 1_000;
/** A browser opens six connections to one server; a page asks for fewer things than may wait. */
const CALLS_OF_PERSON = 6;
const WAITING_OF_PERSON = 60;
const STREAMS = 4;

export function createCallLimits(): CallLimits {
  return {
    calls: createFairLimit({
      total: Infinity,
      perOwner: CALLS,
      mostWaiting: WAITING,
      refusal: refusal('Too many calls wait for this workspace; try again in a moment.'),
    }),
    people: createFairLimit({
      total: Infinity,
      perOwner: CALLS_OF_PERSON,
      mostWaiting: WAITING_OF_PERSON,
      refusal: refusal('Too many of your calls wait; try again in a moment.'),
    }),
    streams: createFairLimit({
      total: Infinity,
      perOwner: STREAMS,
      mostWaiting: 0,
      refusal: refusal('Too many exports and logins run for this workspace; try again when one of them has ended.'),
    }),
  };
}

const refusal = (message: string) => () => new ApiError('RATE_LIMIT_EXCEEDED', { message });

/** Runs a call when its person and its workspace have room for it. */
export function runCall<T>(
  { people, calls }: Pick<CallLimits, 'people' | 'calls'>,
  visit: PageVisit | PersonalVisit | WorkspaceVisit,
  call: () => Promise<T>,
): Promise<T> {
  const inWorkspace = () => calls.run(limitOwner(visit), call);
  return 'personId' in visit ? people.run(visit.personId, inWorkspace) : inWorkspace();
}

/** The workspace; else the person; else the address. */
export function limitOwner(visit: PageVisit | PersonalVisit | WorkspaceVisit): string {
  if ('role' in visit) return visit.workspaceId;
  return 'personId' in visit ? visit.personId : visit.visitor.address;
}
