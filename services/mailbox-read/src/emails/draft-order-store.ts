import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

type Draft = Pick<EmailDocument, '_id' | 'date' | 'draft'>;

const ORDER = { date: 1, 'draft.createdAt': 1 } as const;
const AT_ONCE = 250;
/** A workspace with more drafts gets the order of those among its newest by date. */
const MOST_SEEN = 10_000;
/** A Date header has whole seconds, and may be before the creation. */
const SECOND_MS = 1_000;

/**
 * Ids of the drafts that were made last, the last first. No index has that order: a draft that was written in another
 * client has its date alone. An edited draft keeps the moment of its making and gets a later date, so drafts are read by
 * date until all that follow were made before those that are found.
 */
export async function draftsMadeLast(
  emails: Reads<'emails'>['emails'],
  workspaceId: string,
  count: number,
  budget: TimeBudget,
): Promise<string[]> {
  const drafts = emails
    .find({ workspaceId, isDraft: true, folderType: 'DRAFTS' }, ORDER, timeLimit(budget))
    .sort(NEWEST_FIRST)
    .limit(MOST_SEEN)
    .lean<Draft[]>()
    .cursor({ batchSize: AT_ONCE });
  let last: Draft[] = [];
  let fresh: Draft[] = [];
  for await (const draft of drafts as AsyncIterable<Draft>) {
    fresh.push(draft);
    if (fresh.length < AT_ONCE) continue;
    [last, fresh] = [firstOf([...last, ...fresh], count), []];
    const end = last[count - 1];
    if (end && draft.date.getTime() + SECOND_MS < madeAt(end)) break;
  }
  return firstOf([...last, ...fresh], count).map(({ _id }) => _id);
}

const madeAt = ({ date, draft }: Draft): number => (draft?.createdAt ?? date).getTime();

function firstOf(drafts: Draft[], count: number): Draft[] {
  const laterFirst = (a: Draft, b: Draft) => madeAt(b) - madeAt(a) || (a._id < b._id ? 1 : -1);
  return drafts.toSorted(laterFirst).slice(0, count);
}

/** Ids of the replies of rules that wait for their time, the next one first. */
export async function repliesThatLeaveNext(
  emails: Reads<'emails'>['emails'],
  workspaceId: string,
  count: number,
  budget: TimeBudget,
): Promise<string[]> {
  const waiting = {
    isDraft: true,
    folderType: 'DRAFTS',
    'draft.source': 'auto_draft',
    scheduledStatus: 'pending',
  } as const;
  const found = await emails
    .find({ workspaceId, ...waiting }, { _id: 1 }, timeLimit(budget))
    .sort({ scheduledSendAt: 1, _id: 1 })
    .limit(count)
    .lean<{ _id: string }[]>();
  return found.map(({ _id }) => _id);
}
