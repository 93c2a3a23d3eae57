import { RetryLater } from '@postroom/events/bus';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import { type NewChange, existenceAspect, flagAspect, folderAspect, labelAspect } from './new-change.ts';
import type { FeedStore } from '../feed/change-store.ts';
import type { EmailFacts, EmailStateStore } from './email-state-store.ts';

interface Deps {
  changes: Pick<FeedStore, 'last'>;
  emails: EmailStateStore;
}

type EventAndData = Pick<NewChange, 'event' | 'data'>;

/**
 * The changes to append for these events, in order. Events may come late and in any order, so each is compared with the
 * state of its email. Where it is no longer true, and the feed has the change that is true, that change is repeated behind
 * it as a correction. A later change of the state has an event of its own, which comes behind this. `known`
 * are those that have a number already, by their ids.
 */
export async function withCorrections(
  { changes, emails }: Deps,
  workspaceId: string,
  events: readonly NewChange[],
  { known, now }: { known: ReadonlyMap<string, number>; now: number },
): Promise<NewChange[]> {
  const emailIds = [...new Set(events.flatMap(({ data, aspects }) => (aspects.length > 0 ? emailIdOf(data) : [])))];
  const states = new Map((await emails.find(workspaceId, emailIds)).map((email) => [email._id, email]));
  for (const change of events) refuseEarly(change, states.get(emailIdOf(change.data)), now);
  const stateOf = ({ data }: EventAndData) => states.get(emailIdOf(data));
  const planned: NewChange[] = [];
  const ordered = inOrder(events, stateOf);
  for (const [n, change] of ordered.entries()) {
    const state = stateOf(change);
    planned.push(change);
    const number = known.get(change._id) ?? Infinity;
    const missed = await missedBefore(changes, workspaceId, change, state);
    for (const { seq, ...one } of missed) if (seq < number) planned.push(correctionOf(one, change, one._id));
    if (isStillTrue(change, state)) continue;
    const aspect = checkedAspect(change, state);
    const corrects = (other: NewChange) => other.aspects.includes(aspect) && agrees(other, aspect, state);
    if (ordered.slice(n + 1).some((later) => !known.has(later._id) && corrects(later))) continue;
    const inBatch = planned.findLast(({ _id, aspects }) => _id !== change._id && aspects.includes(aspect));
    const last = inBatch ?? (await changes.last(workspaceId, aspect, change._id));
    // A repeat of an old event finds its correction behind it already.
    const isRepeat = last && known.has(change._id) && (known.get(last._id) ?? numberOf(last)) > number;
    if (last && !isRepeat && agrees(last, aspect, state)) planned.push(correctionOf(last, change));
  }
  return planned.filter(({ _id }) => !known.has(_id));
}

/** A change that has no number yet comes behind all that have one. */
const numberOf = (change: NewChange | ChangeDocument): number => ('seq' in change ? change.seq : Infinity);

const emailIdOf = (data: NewChange['data']): string => String(data['emailId']);

/**
 * By time; of one moment those come last that are still true. Clocks differ, and a client keeps nothing of an email that it
 * does not know yet: so an email appears before anything else is told of it.
 */
function inOrder(events: readonly NewChange[], stateOf: (change: EventAndData) => EmailFacts | undefined): NewChange[] {
  const firsts = new Map<string, number>();
  for (const { data, createdAt } of events)
    firsts.set(emailIdOf(data), Math.min(createdAt.getTime(), firsts.get(emailIdOf(data)) ?? Infinity));
  const appears = ({ event }: NewChange) => APPEARING.includes(event);
  const timeOf = (change: NewChange) =>
    appears(change) ? (firsts.get(emailIdOf(change.data)) ?? 0) : change.createdAt.getTime();
  const rank = (change: NewChange) => {
    if (appears(change)) return 0;
    return isStillTrue(change, stateOf(change)) ? 2 : 1;
  };
  return events.toSorted((a, b) => timeOf(a) - timeOf(b) || rank(a) - rank(b));
}

/** The event of a removal may be published just before the email is deleted; after this time that was interrupted. */
const REMOVING_MS = 60_000;

function refuseEarly({ event, createdAt }: NewChange, state: EmailFacts | undefined, now: number): void {
  if (event !== 'email.removed' || state?.messageKey !== `removed:${state?._id}`) return;
  if (now - createdAt.getTime() < REMOVING_MS) throw new RetryLater(1_000);
}

type NumberedChange = NewChange & Pick<ChangeDocument, 'seq'>;

/** A client keeps nothing of an email that it does not know yet: where its first event is late, the changes before it are repeated. */
async function missedBefore(
  { last }: Deps['changes'],
  workspaceId: string,
  { _id, event, data }: NewChange,
  state: EmailFacts | undefined,
): Promise<NumberedChange[]> {
  if (!APPEARING.includes(event) || !state) return [];
  const emailId = emailIdOf(data);
  const labels = state.labelIds.map(async (tagId) => last(workspaceId, labelAspect(emailId, tagId), _id));
  // An email that appears is neither read nor starred as far as its event tells.
  const flags = FLAGS.filter((name) => state[name]).map(async (name) => {
    const aspect = flagAspect(emailId, name);
    const found = await last(workspaceId, aspect, _id);
    return found && agrees(found, aspect, state) ? onlyFlag(found, emailId, name) : null;
  });
  const found = await Promise.all([...labels, ...flags]);
  return found.flatMap((change) => (change && change.event !== 'label.removed' ? [change] : []));
}

const APPEARING = ['email.received', 'email.created'];
const FLAGS = ['isRead', 'isStarred'] as const;

/** Of a change of both flags, the other one may be older than a later change. */
const onlyFlag = (found: NumberedChange, emailId: string, name: (typeof FLAGS)[number]): NumberedChange => ({
  ...found,
  _id: `${found._id} ${name}`,
  data: { emailId, changes: { [name]: true } },
  aspects: [flagAspect(emailId, name)],
});

/** The id of a change that is repeated behind a late event. */
export const correctionId = (eventId: string, ...what: string[]): string =>
  deterministicId('evt', eventId, 'again', ...what);

function correctionOf({ event, data, aspects, createdAt }: NewChange, after: NewChange, ...what: string[]): NewChange {
  return { _id: correctionId(after._id, ...what), event, data, aspects, createdAt };
}

/** The one fact that the change and the state may disagree about. */
function checkedAspect({ event, data, aspects }: NewChange, state: EmailFacts | undefined): string {
  const emailId = emailIdOf(data);
  if (!state || event === 'email.removed') return existenceAspect(emailId);
  return event === 'email.received' || event === 'email.created' ? folderAspect(emailId) : (aspects[0] ?? '');
}

function isStillTrue(change: NewChange, state: EmailFacts | undefined): boolean {
  return change.aspects.length === 0 || agrees(change, checkedAspect(change, state), state);
}

/** Whether a change says about this fact what the state says. */
function agrees({ event, data }: EventAndData, aspect: string, state: EmailFacts | undefined): boolean {
  const emailId = emailIdOf(data);
  if (aspect === existenceAspect(emailId)) return (event === 'email.removed') === (state === undefined);
  if (!state) return false;
  if (aspect === folderAspect(emailId)) {
    if (event === 'email.moved') return state.folderId === data['folderId'];
    return state.folderType === (event === 'email.deleted' ? 'TRASH' : data['folderType']);
  }
  if (aspect === labelAspect(emailId, String(data['tagId'])))
    return state.labelIds.includes(String(data['tagId'])) === (event === 'label.applied');
  const changes = (data['changes'] ?? {}) as Partial<Pick<EmailFacts, 'isRead' | 'isStarred'>>;
  return FLAGS.some((name) => aspect === flagAspect(emailId, name) && state[name] === changes[name]);
}
