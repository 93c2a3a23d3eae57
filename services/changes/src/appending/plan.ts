import { RetryLater } from '@postroom/events/bus';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import { type Announced, existence, flagAspect, folder, labelAspect } from './announced.ts';
import type { FeedStore } from '../feed/change-store.ts';
import type { StatedEmail, EmailStateStore } from './email-state-store.ts';

interface Deps {
  changes: Pick<FeedStore, 'last'>;
  emails: EmailStateStore;
}

type Stated = Pick<Announced, 'event' | 'data'>;

/**
 * The changes to append for these events, in order. Events may come late and in any order, so each is held against the
 * state: where it is not so any more, and the feed has said already how it is now, that is said once more behind it. A
 * later change of the state has an event of its own, which comes behind this. `known` are those that have a number already, by their ids.
 */
export async function planChanges(
  { changes, emails }: Deps,
  workspaceId: string,
  events: readonly Announced[],
  { known, now }: { known: ReadonlyMap<string, number>; now: number },
): Promise<Announced[]> {
  const emailIds = [...new Set(events.flatMap(({ data, aspects }) => (aspects.length > 0 ? emailIdOf(data) : [])))];
  const states = new Map((await emails.find(workspaceId, emailIds)).map((email) => [email._id, email]));
  for (const change of events) refuseEarly(change, states.get(emailIdOf(change.data)), now);
  const stateOf = ({ data }: Stated) => states.get(emailIdOf(data));
  const planned: Announced[] = [];
  const ordered = inOrder(events, stateOf);
  for (const [n, change] of ordered.entries()) {
    const state = stateOf(change);
    planned.push(change);
    const number = known.get(change._id) ?? Infinity;
    const facts = await saidOf(changes, workspaceId, change, state);
    for (const { seq, ...fact } of facts) if (seq < number) planned.push(again(fact, change, fact._id));
    if (holds(change, state)) continue;
    const aspect = aspectInDoubt(change, state);
    const corrects = (other: Announced) => other.aspects.includes(aspect) && isSo(other, aspect, state);
    if (ordered.slice(n + 1).some((later) => !known.has(later._id) && corrects(later))) continue;
    const inBatch = planned.findLast(({ _id, aspects }) => _id !== change._id && aspects.includes(aspect));
    const last = inBatch ?? (await changes.last(workspaceId, aspect, change._id));
    // A repeat of an old event finds the last word behind it already.
    const isRepeat = last && known.has(change._id) && (known.get(last._id) ?? numberOf(last)) > number;
    if (last && !isRepeat && isSo(last, aspect, state)) planned.push(again(last, change));
  }
  return planned.filter(({ _id }) => !known.has(_id));
}

/** A change that has no number yet comes behind all that have one. */
const numberOf = (change: Announced | ChangeDocument): number => ('seq' in change ? change.seq : Infinity);

const emailIdOf = (data: Announced['data']): string => String(data['emailId']);

/** By time; of one moment those come last that are still so. */
function inOrder(events: readonly Announced[], stateOf: (change: Stated) => StatedEmail | undefined): Announced[] {
  const rank = (change: Announced) => (holds(change, stateOf(change)) ? 1 : 0);
  return events.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || rank(a) - rank(b));
}

/** The event of a removal may be published just before the email is deleted; after this time that was interrupted. */
const REMOVING_MS = 60_000;

function refuseEarly({ event, createdAt }: Announced, state: StatedEmail | undefined, now: number): void {
  if (event !== 'email.removed' || state?.messageKey !== `removed:${state?._id}`) return;
  if (now - createdAt.getTime() < REMOVING_MS) throw new RetryLater(1_000);
}

type Said = Announced & Pick<ChangeDocument, 'seq'>;

/** A client keeps nothing of an email that it does not know yet: where its first event is late, what is so comes again. */
async function saidOf(
  { last }: Deps['changes'],
  workspaceId: string,
  { _id, event, data }: Announced,
  state: StatedEmail | undefined,
): Promise<Said[]> {
  if (!APPEARING.includes(event) || !state) return [];
  const emailId = emailIdOf(data);
  const labels = state.labelIds.map(async (tagId) => last(workspaceId, labelAspect(emailId, tagId), _id));
  // An email that appears is neither read nor starred as far as its event tells.
  const flags = FLAGS.filter((name) => state[name]).map(async (name) => {
    const aspect = flagAspect(emailId, name);
    const said = await last(workspaceId, aspect, _id);
    return said && isSo(said, aspect, state) ? oneFlag(said, emailId, name) : null;
  });
  const said = await Promise.all([...labels, ...flags]);
  return said.flatMap((change) => (change && change.event !== 'label.removed' ? [change] : []));
}

const APPEARING = ['email.received', 'email.created'];
const FLAGS = ['isRead', 'isStarred'] as const;

/** Of a change of both flags, the other one may be older than a later change. */
const oneFlag = (said: Said, emailId: string, name: (typeof FLAGS)[number]): Said => ({
  ...said,
  _id: `${said._id} ${name}`,
  data: { emailId, changes: { [name]: true } },
  aspects: [flagAspect(emailId, name)],
});

/** Of a change that is said once more behind a late event. */
export const idOfAgain = (eventId: string, ...what: string[]): string =>
  deterministicId('evt', eventId, 'again', ...what);

function again({ event, data, aspects, createdAt }: Announced, after: Announced, ...what: string[]): Announced {
  return { _id: idOfAgain(after._id, ...what), event, data, aspects, createdAt };
}

/** The one fact that the change and the state may disagree about. */
function aspectInDoubt({ event, data, aspects }: Announced, state: StatedEmail | undefined): string {
  const emailId = emailIdOf(data);
  if (!state || event === 'email.removed') return existence(emailId);
  return event === 'email.received' || event === 'email.created' ? folder(emailId) : (aspects[0] ?? '');
}

function holds(change: Announced, state: StatedEmail | undefined): boolean {
  return change.aspects.length === 0 || isSo(change, aspectInDoubt(change, state), state);
}

/** Whether a change says about this fact what the state says. */
function isSo({ event, data }: Stated, aspect: string, state: StatedEmail | undefined): boolean {
  const emailId = emailIdOf(data);
  if (aspect === existence(emailId)) return (event === 'email.removed') === (state === undefined);
  if (!state) return false;
  if (aspect === folder(emailId)) {
    if (event === 'email.moved') return state.folderId === data['folderId'];
    return state.folderType === (event === 'email.deleted' ? 'TRASH' : data['folderType']);
  }
  if (aspect === labelAspect(emailId, String(data['tagId'])))
    return state.labelIds.includes(String(data['tagId'])) === (event === 'label.applied');
  const changes = (data['changes'] ?? {}) as Partial<Pick<StatedEmail, 'isRead' | 'isStarred'>>;
  return FLAGS.some((name) => aspect === flagAspect(emailId, name) && state[name] === changes[name]);
}
