import type { ImapLocation } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Session } from '../session/session.ts';

/** The result of one pending change. */
export interface WriteResult {
  emailId: string;
  changeId: string;
  /** The present location of the message, if the provider told it. */
  location?: ImapLocation;
  refused?: string;
}

const AT_ONCE = 200;

/** An answer removes the pending change by its id, so no change is written twice. */
export async function reportResults(
  { writer, pass }: Session,
  results: readonly WriteResult[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < results.length; from += AT_ONCE) {
    const changes = results.slice(from, from + AT_ONCE).map(({ emailId, changeId, location, refused }) => ({
      emailId,
      changeIds: [changeId],
      location,
      refused,
      at: at.toISOString(),
    }));
    await writer.complete(changes, pass);
  }
}
