import type { SendDocument } from '@postroom/mail-store/documents/send';
import { sendIdOf } from '../../../services/outbound-send/src/new-send/new-send.ts';
import { operationOf } from '../../../services/outbound-send/src/draft-sends/draft-operation.ts';
import { announced } from '../announced.ts';
import { type Asked, isForStranger } from '../peers/callers.ts';
import type { Draft } from '../peers/drafts.ts';
import type { Pause } from '../peers/pauses.ts';
import type { Taken } from '../peers/smtp.ts';
import type { Promises } from '../workload.ts';
import type { Broker } from '../world/broker.ts';
import { draftPromises } from './draft-promises.ts';
import type { Saved } from './draft-witness.ts';
import type { Holders } from './holders.ts';
import type { Witness } from './witness.ts';

export type StoredSend = Pick<
  SendDocument,
  '_id' | 'workspaceId' | 'kind' | 'state' | 'messageId' | 'draftId' | 'lastError' | 'remainderOf'
>;

export interface StoredEmail {
  _id: string;
  workspaceId: string;
  messageId: string;
  subject: string;
  folderType: string;
  isDraft: boolean;
  scheduledStatus: string | null;
  owedSince?: Date;
}

export interface StoredBody {
  _id: string;
  text: string | null;
}

export interface StoredPermits {
  _id: string;
  holders: readonly { id: string }[];
}

/** The callers, the mail server and the stored state at the end of a run. */
interface Outcome {
  asked: readonly Asked[];
  drafts: readonly Draft[];
  pauses: readonly Pause[];
  taken: readonly Taken[];
  sends: readonly StoredSend[];
  emails: readonly StoredEmail[];
  permits: readonly StoredPermits[];
  trashed: ReadonlyMap<string, number>;
  saved: readonly Saved[];
  bodies: readonly StoredBody[];
  witness: Witness;
  holders: Holders;
  shownLate: readonly string[];
  /** The database refused no write, and each of its answers arrived. */
  isDatabaseSound: boolean;
  broker: Broker;
}

export const promises: Promises<Outcome> = {
  'P11 no message is sent twice': ({ sends, taken }) =>
    sends.flatMap((send) =>
      send.kind !== 'remainder' && timesTaken(taken, send) > 1
        ? [`${wordsOf(send)} was sent ${timesTaken(taken, send)} times`]
        : [],
    ),

  'P11 a caller is told the truth': ({ asked, sends, taken }) =>
    asked.flatMap((one) => {
      const send = sendOf(sends, one);
      const isSent = send !== undefined && timesTaken(taken, send) > 0;
      if (one.told === 'not sent')
        return isSent ? [`${one.operationId} was sent, and its caller was told that it was not`] : [];
      return ['send', 'draft'].includes(one.kind) && one.told === 'taken' && !isSent
        ? [`${one.operationId} was not sent, and its caller was told that it was`]
        : [];
    }),

  'P11 each recipient gets a message once, or its sender is told': ({ asked, sends, taken, bodies }) =>
    asked
      .filter(({ others }) => others.length > 0)
      .flatMap((one) => {
        const send = sendOf(sends, one);
        if (send?.state !== 'recorded') return [];
        const left = sends.filter(({ remainderOf }) => remainderOf === send._id);
        return [one.to, ...one.others].flatMap((address) => {
          const times = [send, ...left].flatMap(({ _id }) =>
            taken.filter(({ operation, to }) => operation === _id && to.includes(address)),
          ).length;
          const reports = bodies.filter(({ text }) => text?.startsWith(REPORTED) && text.includes(address)).length;
          const isUnknown = left.some(({ state }) => state === 'unknown') && times + reports === 0;
          return times + reports === 1 || isUnknown
            ? []
            : [`${address} got ${one.operationId} ${times} times, and was reported ${reports} times`];
        });
      }),

  'P11 nothing begins to leave by itself while it may not': ({ asked, pauses, sends, taken, holders }) =>
    taken.flatMap(({ operation, by, at }) => {
      const send = sends.find(({ _id }) => _id === operation);
      const begun = holders.attempts.findLast(
        (attempt) => attempt.sendId === operation && attempt.by === by && attempt.at <= at,
      )?.takenUpAt;
      if (!send || begun === undefined || !BY_ITSELF.includes(send.kind)) return [];
      const isPaused = pauses.some(
        ({ workspaceId, from, until }) => workspaceId === send.workspaceId && begun > from && at < until,
      );
      const isTrashed = asked.some((one) => idOf(one) === operation && begun > (one.trashedAt ?? Infinity));
      return isPaused || isTrashed ? [`${wordsOf(send)} began to leave after it might no more`] : [];
    }),

  'P11 what was asked for ends': ({ asked, pauses, sends }) =>
    asked.flatMap((one) => {
      const send = sendOf(sends, one);
      const isPaused = pauses.some(({ workspaceId }) => workspaceId === one.workspaceId);
      // A suspended workspace gets a draft, and an email in the trash is neither answered nor forwarded.
      const isLeft = one.told !== undefined && (one.isTrashed || (one.kind === 'reply' && isPaused));
      if (!send) return one.told === 'not sent' || isLeft ? [] : [`${one.operationId} is not stored`];
      const mayEnd = BY_ITSELF.includes(send.kind) && (one.isTrashed || isPaused);
      return (mayEnd && send.state === 'canceled') || endsOf(one).includes(send.state)
        ? []
        : [`${one.operationId} is ${send.state} (${send.lastError})`];
    }),

  'P11 the state of a send is true': ({ sends, taken }) =>
    sends.flatMap((send) => {
      const times = timesTaken(taken, send);
      if (send.state === 'recorded' && times === 0) return [`${wordsOf(send)} is recorded, and was not sent`];
      // Some of the deferred recipients may have it.
      return ['failed', 'canceled'].includes(send.state) && times > 0 && send.kind !== 'remainder'
        ? [`${wordsOf(send)} is ${send.state}, and was sent`]
        : [];
    }),

  'P11 a send has one holder, who alone changes it': ({ holders }) => [...holders.heldTwice],

  'P11 a message leaves in the call that asks for it': ({ taken, holders }) =>
    taken.flatMap(({ operation, by }) =>
      holders.takenUpLater.get(operation)?.has(by) ? [`${by} sent ${operation} after its call had ended`] : [],
    ),

  'a permit ends with its message': ({ permits, witness, isDatabaseSound }) =>
    permits.flatMap(({ _id, holders }) =>
      holders
        .filter(({ id }) => isDatabaseSound && witness.takers.get(id)?.isAlive)
        .map(({ id }) => `the permit ${id} of ${_id} is left`),
    ),

  'a mailbox has no more permits than it may': ({ witness }) => [...witness.tooManyPermits, ...witness.lostPermits],

  'P12 what was sent is among the sent emails, once': ({ sends, emails }) =>
    sends.flatMap((send) => {
      const filed = emailsOf(emails, send).filter(isFiled).length;
      const wanted = isRecorded(sends, send) ? 1 : 0;
      return filed === wanted ? [] : [`${wordsOf(send)} is among the sent emails ${filed} times, and not ${wanted}`];
    }),

  'P21 every change is announced, once': ({ sends, emails, saved, broker }) => {
    const told = announced(broker);
    const draftIds = new Set(sends.map(({ draftId }) => draftId));
    const times = (what: string) => told.get(what)?.size ?? 0;
    return [
      ...emails.flatMap(({ _id, messageId, owedSince, ...email }) => {
        // A mail program that saves a draft takes it out of the trash, too.
        const isSaved = saved.some(({ draftId }) => draftId === _id);
        const moved = isSaved ? 0 : times(`email.moved ${_id}`);
        const wanted = !isSaved && isFiled(email) && draftIds.has(_id) ? 1 : 0;
        const stored = times(`email.created ${_id}`) + times(`email.received ${_id}`);
        return [
          ...(owedSince === undefined ? [] : [`the email ${messageId} has a pending event in the end`]),
          ...(stored === 1 ? [] : [`the email ${messageId} was announced ${stored} times`]),
          ...(moved === wanted ? [] : [`the email ${messageId} was announced as moved ${moved} times`]),
        ];
      }),
      ...sends.flatMap((send) => {
        const sent = times(`draft.sent ${send.messageId}`);
        const most = isRecorded(sends, send) ? 1 : 0;
        return sent <= most ? [] : [`${wordsOf(send)} was announced as sent ${sent} times`];
      }),
    ];
  },

  ...draftPromises,

  'P12 a draft shows what became of its message': ({ asked, drafts, pauses, sends, emails, shownLate }) => [
    ...shownLate,
    ...sends
      .filter(({ kind, draftId }) => kind === 'reply' || draftId !== null)
      // Another promise tells the end of a draft that several people work on.
      .filter((send) => {
        const draftIds = [send.draftId ?? '', ...emailsOf(emails, send).map(({ _id }) => _id)];
        return !drafts.some((draft) => draftIds.some((id) => draft.draftIds.includes(id)));
      })
      .flatMap((send) => {
        const shown = emailsOf(emails, send).map(
          ({ folderType, scheduledStatus }) => `${folderType} ${scheduledStatus}`,
        );
        const isStopped = asked.some((one) => mayBeStopped(one, send) && idOf(one) === send._id);
        const wanted = isStopped
          ? 'DRAFTS canceled'
          : (send.kind === 'reply' ? SHOWN_OF_REPLY : SHOWN_OF_DRAFT)[send.state];
        // A repeat finds the draft that an earlier call left to a person, because the workspace was suspended then.
        const isLeft = send.state === 'canceled' && pauses.some(({ workspaceId }) => workspaceId === send.workspaceId);
        const ofPerson = shownOfPerson(sends, emailsOf(emails, send));
        const isShown = shown[0] === wanted || (isLeft && [ofPerson, 'TRASH null'].includes(shown[0] ?? ''));
        const isRight = shown.length === 1 && (isShown || isStoppedLate(asked, send, shown[0]));
        return isRight ? [] : [`${wordsOf(send)} is shown as [${shown.join()}]`];
      }),
  ],
};

/** A draft that was left to a person, who may have sent it, or thrown it away. */
function shownOfPerson(sends: readonly StoredSend[], drafts: readonly StoredEmail[]): string {
  const isSent = sends.some(({ draftId, state }) => state === 'recorded' && drafts.some(({ _id }) => _id === draftId));
  return isSent ? 'SENT null' : 'DRAFTS null';
}

const BY_ITSELF: readonly StoredSend['kind'][] = ['reply', 'forward', 'approved'];
const REPORTED = 'The mail server refused your message for these recipients';

type Shown = Readonly<Partial<Record<StoredSend['state'], string>>>;
const SHOWN_OF_REPLY: Shown = {
  canceled: 'DRAFTS canceled',
  recorded: 'SENT sent',
  failed: 'DRAFTS failed',
  unknown: 'DRAFTS sending',
};
/** Without a schedule it is a draft as before. */
const SHOWN_OF_DRAFT: Shown = { recorded: 'SENT null', failed: 'DRAFTS null', unknown: 'DRAFTS sending' };

/** Nobody knows what became of a message whose answer was lost, and it is never sent again. */
function endsOf(one: Asked): readonly StoredSend['state'][] {
  if (one.isStopped && one.stopped === undefined) return [];
  // The draft of a reply that has failed is a person's by then.
  if (one.stopped === 'stopped') return isForStranger(one) ? ['canceled', 'failed'] : ['canceled'];
  const perhaps = one.stopped === 'unknown' ? (['canceled'] as const) : [];
  if (isForStranger(one) || one.told === 'not sent') return ['failed', ...perhaps];
  return ['recorded', 'unknown', ...perhaps];
}

const mayBeStopped = ({ stopped }: Asked, { state }: StoredSend) =>
  stopped === 'stopped' || (stopped === 'unknown' && state === 'canceled');

/** A stop that was not answered may reach the draft behind the failure of its reply, as one that is answered may. */
const isStoppedLate = (asked: readonly Asked[], send: StoredSend, shown: string | undefined) =>
  send.state === 'failed' &&
  shown === 'DRAFTS canceled' &&
  asked.some((one) => one.stopped === 'unknown' && idOf(one) === send._id);

/** The id is a hash, and each promise asks for it again at each poll. */
const sendIds = new WeakMap<Asked, string>();

function idOf(one: Asked): string | undefined {
  if (one.kind === 'draft' && one.draftId === undefined) return undefined;
  const operation = one.kind === 'draft' && one.draftId ? operationOf(one.draftId, one) : one;
  const id = sendIds.get(one) ?? sendIdOf(operation);
  sendIds.set(one, id);
  return id;
}

const sendOf = (sends: readonly StoredSend[], one: Asked) => sends.find(({ _id }) => _id === idOf(one));
const timesTaken = (taken: readonly Taken[], { _id }: StoredSend) =>
  taken.filter(({ operation }) => operation === _id).length;
const emailsOf = (emails: readonly StoredEmail[], { workspaceId, messageId }: StoredSend) =>
  emails.filter((email) => email.workspaceId === workspaceId && email.messageId === messageId);
/** A person may have thrown it away since. */
const isFiled = ({ isDraft, folderType }: Pick<StoredEmail, 'isDraft' | 'folderType'>) =>
  !isDraft && ['SENT', 'TRASH'].includes(folderType);
/** A draft leaves as a reply or as itself, under one Message-ID. */
const isRecorded = (sends: readonly StoredSend[], { messageId }: StoredSend) =>
  sends.some((send) => send.messageId === messageId && send.state === 'recorded');
const wordsOf = ({ kind, _id, state }: StoredSend) => `the ${kind} ${_id} (${state})`;
