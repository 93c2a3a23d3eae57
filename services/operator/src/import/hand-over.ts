import { ApiError } from '@postroom/errors/api-error';
import type { IncomingMessage, IngestOutcome } from '@postroom/proto/postroom/v1/mailbox_write';
import { Refusal, type Deps } from '../deps.ts';

// Long enough for a service that restarts; short enough that a person still waits.
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const RETRY_WITHIN_MS = 60_000;

export interface Destination {
  workspaceId: string;
  mailboxId: string;
}

/** Gives a batch to ingest, again and again while it does not answer: what it has already is recognised. */
export function createHandOver(deps: Deps, { workspaceId, mailboxId }: Destination) {
  const service = deps.mailboxWrite();
  const { clock } = deps.context;

  return async (messages: IncomingMessage[]): Promise<IngestOutcome[]> => {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        const deadline = clock.now() + RETRY_WITHIN_MS;
        return (await service.ingest({ mailboxId, messages }, { workspaceId, deadline })).outcomes;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (pause === undefined || deps.signal.aborted) throw givenUp(error);
        await clock.sleep(pause);
      }
    }
    throw givenUp(undefined);
  };
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INTERNAL_ERROR' || error.code === 'QUERY_TIMEOUT');
}

function givenUp(error: unknown): Refusal {
  const cause = error instanceof ApiError && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new Refusal(
    `the mailbox-write service does not take the mail in${cause}; once it runs, give the same command again: what is in already is recognised`,
  );
}
