import type { ProviderPlace } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Session } from '../session/session.ts';

/** What became of one owed change. */
export interface Outcome {
  emailId: string;
  changeId: string;
  /** Where the message stands now, as far as the provider told. */
  place?: ProviderPlace;
  refused?: string;
}

const AT_ONCE = 200;

/** Nothing is owed twice: what the provider answered is taken off under the id that it was owed by. */
export async function settle({ writer, round }: Session, outcomes: readonly Outcome[], at: Date): Promise<void> {
  for (let from = 0; from < outcomes.length; from += AT_ONCE) {
    const changes = outcomes.slice(from, from + AT_ONCE).map(({ emailId, changeId, place, refused }) => ({
      emailId,
      changeIds: [changeId],
      place,
      refused,
      at: at.toISOString(),
    }));
    await writer.settle(changes, round);
  }
}
