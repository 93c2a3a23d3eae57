import { type Deed, type Draft, versionsIn } from '../peers/drafts.ts';
import type { Taken } from '../peers/smtp.ts';
import type { Promises } from '../workload.ts';
import type { Saved } from './draft-witness.ts';
import type { StoredBody, StoredEmail, StoredSend } from './promises.ts';

interface Outcome {
  drafts: readonly Draft[];
  taken: readonly Taken[];
  sends: readonly StoredSend[];
  emails: readonly StoredEmail[];
  /** Drafts that were thrown away before a send of them began, with the times. */
  trashed: ReadonlyMap<string, number>;
  saved: readonly Saved[];
  bodies: readonly StoredBody[];
}

/** The deeds after which a draft stays where it is. */
const ENDS: readonly Deed['said'][] = ['edited', 'discarded'];
const SENDS: readonly Deed['act'][] = ['an agent sends', 'an agent asks', 'a person sends', 'a person approves'];

/** Of drafts that several people and agents work on at once. */
export const draftPromises: Promises<Outcome> = {
  'the work on every draft ends': ({ drafts }) =>
    drafts.filter(({ isDone }) => !isDone).map(({ name }) => `the work on ${name} goes on`),

  'P11 one version of a draft leaves, as a whole': ({ drafts, taken }) =>
    drafts.flatMap((draft) =>
      taken.flatMap(({ operation, text }) => {
        const versions = versionsIn(draft, text);
        return versions.length > 1 ? [`${operation} was sent as ${versions.join(' and ')}`] : [];
      }),
    ),

  'P11 a draft leaves once': ({ drafts, taken, sends }) =>
    draftIdsOf(drafts).flatMap((draftId) => {
      const times = takenOf(draftId, taken, sends).length;
      return times > 1 ? [`the draft ${draftId} was sent ${times} times`] : [];
    }),

  'P11 a draft that was edited or thrown away does not leave': ({ drafts, saved, taken, sends }) =>
    deedsOf(drafts)
      .filter(({ said, draftId }) => ENDS.includes(said) && takenOf(draftId, taken, sends).length > 0)
      // A message that left before a mail program saved the draft is another email.
      .filter(({ draftId }) => !saved.some((one) => one.draftId === draftId))
      .map(({ draftId, said }) => `the draft ${draftId} was ${said}, and was sent`),

  // Saved by a mail program while it left, it says so no more.
  'P11 nothing begins to leave from the trash': ({ trashed, saved, taken, sends }) =>
    [...trashed]
      .filter(([draftId]) => !saved.some((one) => one.draftId === draftId))
      .filter(([draftId, at]) => takenOf(draftId, taken, sends).some((one) => one.at > at))
      .map(([draftId]) => `${draftId} was sent from the trash`),

  'P11 who works on a draft is told the truth': ({ drafts, taken, sends }) =>
    // A call knows nothing of the reply that the draft is, which leaves by itself.
    deedsOf(drafts).flatMap((deed) =>
      lieIn(deed, deedsOf(drafts), takenOf(deed.draftId, taken, sends.filter(isByCall))),
    ),

  'P11 what was approved leaves as it was shown': ({ drafts, taken, sends }) =>
    drafts.flatMap((draft) =>
      sends
        .filter(({ kind, draftId }) => kind === 'approved' && draft.draftIds.includes(draftId ?? ''))
        .flatMap(({ _id, draftId }) => {
          const left = taken.filter(({ operation }) => operation === _id);
          const asked = draft.deeds.filter((deed) => deed.act === 'a person approves' && deed.draftId === draftId);
          const isShown = ({ text, at }: Taken) =>
            asked.some(
              ({ seen = '', askedAt }) => askedAt < at && isEqual(versionsIn(draft, seen), versionsIn(draft, text)),
            );
          return left.every(isShown) ? [] : [`${_id} was sent, and nobody approved it so`];
        }),
    ),

  'P12 a sent draft says what was sent': ({ drafts, taken, sends, emails, bodies }) =>
    drafts.flatMap((draft) =>
      sends
        .filter(({ draftId, state }) => state === 'recorded' && draft.draftIds.includes(draftId ?? ''))
        .flatMap((send) => {
          const message = taken.find(({ operation }) => operation === send._id)?.text ?? '';
          const email = emails.find(({ messageId, isDraft }) => messageId === send.messageId && !isDraft);
          const body = bodies.find(({ _id }) => _id === email?._id)?.text ?? '';
          const [sent, subject, text] = [message, email?.subject ?? '', body].map((part) =>
            versionsIn(draft, part).join(),
          );
          const isRight = sent === subject && sent === text;
          return isRight ? [] : [`${send._id} was sent as ${sent}, and is stored as ${subject} with the text ${text}`];
        }),
    ),

  'P12 no version that a mail program has saved is lost': ({ saved, emails }) =>
    saved
      .filter(({ draftId }, n) => !saved.slice(n + 1).some((later) => later.draftId === draftId))
      .filter(({ subject }) => !emails.some((email) => email.subject === subject))
      .map(({ draftId, subject }) => `the draft ${draftId} was saved as "${subject}", which is lost`),

  'P12 the drafts show what became of them': ({ drafts, sends, emails }) =>
    draftIdsOf(drafts).flatMap((draftId) => {
      const states = sends.filter((send) => send.draftId === draftId).map(({ state }) => state);
      const email = emails.find(({ _id }) => _id === draftId);
      const shown = `the draft ${draftId} is shown as ${email?.folderType} ${email?.scheduledStatus}`;
      // A mail program that saves a draft takes it over, whatever becomes of its send.
      const isSaved = deedsOf(drafts).some((deed) => deed.act === 'a mail program edits' && deed.draftId === draftId);
      if (email?.scheduledStatus === 'canceled' && isSaved) return [];
      const isSent = states.includes('recorded');
      const isMarked = email?.scheduledStatus === 'sending';
      const isRight = email && email.isDraft !== isSent && (isSent || isMarked === states.includes('unknown'));
      return isRight ? [] : [`${shown}, and its sends are ${states.join() || 'none'}`];
    }),

  'P12 the text of an edit is a draft': ({ drafts, emails }) =>
    deedsOf(drafts)
      .filter(({ said, newDraftId }) => ['edited', 'kept apart'].includes(said ?? '') && newDraftId)
      .filter(({ newDraftId }) => !emails.some(({ _id }) => _id === newDraftId))
      .map(({ draftId, newDraftId }) => `the edit of ${draftId} is not there as ${newDraftId}`),
};

function lieIn(deed: Deed, deeds: readonly Deed[], taken: readonly Taken[]): string[] {
  const { act, draftId, askedAt, said } = deed;
  if (said === 'sent')
    return taken.length > 0 ? [] : [`the draft ${draftId} was not sent, and its caller was told that it was`];
  if (said !== 'not sent' || taken.length === 0) return [];
  const words = `the draft ${draftId} was sent, and the call that ${act} was told that it was not`;
  if (taken.some(({ at }) => at <= askedAt)) return [`${words}, before`];
  // Of two calls at once, one does not know what the other does.
  const isOther = (other: Deed) => other !== deed && other.draftId === draftId && SENDS.includes(other.act);
  return deeds.some((other) => isOther(other) && (other.saidAt ?? Infinity) > askedAt) ? [] : [words];
}

const isByCall = ({ kind }: StoredSend) => kind === 'send' || kind === 'approved';
const deedsOf = (drafts: readonly Draft[]) => drafts.flatMap(({ deeds }) => deeds);
const draftIdsOf = (drafts: readonly Draft[]) => drafts.flatMap(({ draftIds }) => draftIds);
const takenOf = (draftId: string, taken: readonly Taken[], sends: readonly StoredSend[]) =>
  taken.filter(({ operation }) => sends.some((send) => send.draftId === draftId && send._id === operation));
const isEqual = (some: readonly string[], others: readonly string[]) =>
  some.length === 1 && others.length === 1 && some[0] === others[0];
