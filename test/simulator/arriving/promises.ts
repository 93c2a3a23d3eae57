import { announced } from '../announced.ts';
import type { Mail } from '../peers/mail-source.ts';
import { replyTo } from '../peers/model.ts';
import type { Operator } from '../peers/operator.ts';
import type { Sent } from '../peers/outbound-send.ts';
import type { Broker } from '../world/broker.ts';
import { type Case, forwardsOf, hasLabel, isAnswered } from './expected.ts';
import { fatesOf, type Happening, has } from './happenings.ts';
import { isDeleted, type RuleChange } from './rule-changes.ts';
import { labelIdOf, LABELS } from './setting.ts';
import type { Promises } from '../workload.ts';
import type { Attempts } from './attempts.ts';
import type { Witness } from './witness.ts';

export interface StoredEmail {
  _id: string;
  workspaceId: string;
  threadId: string;
  subject: string;
  labelIds: string[];
  folderType: string;
  isRead: boolean;
  isUnsettled?: boolean;
  owedSince?: Date;
  classifiedAt?: Date;
  classification?: { attempts?: number; cause?: string; quarantinedAt?: Date };
}

/** A document beside the emails. */
export interface Remains {
  collection: string;
  emailId: string;
}

/** The stored state, the peers and the broker at the end of a run. */
interface Outcome {
  mails: readonly Mail[];
  happenings: readonly Happening[];
  changes: readonly RuleChange[];
  /** Present where there is poison. */
  operator: Operator | undefined;
  remains: readonly Remains[];
  /** The email of each mail that was answered for. */
  emailIds: ReadonlyMap<string, string>;
  emails: readonly StoredEmail[];
  deadLetters: readonly { topic: string; cause: string }[];
  witness: Witness;
  /** The number of times that the model was asked each question. */
  asked: ReadonlyMap<string, number>;
  /** A fault struck behind which an email may be classified in a second attempt. */
  hasRepeats: boolean;
  attempts: Attempts;
  /** The database refused no write, and each of its answers arrived. */
  isDatabaseSound: boolean;
  sent: Sent;
  broker: Broker;
  /** No fault strikes after this time. */
  calmAt: number;
}

const isPoison = ({ subject }: { subject: string }) => subject.startsWith('poison');
const isQuarantined = ({ classification }: StoredEmail) => classification?.quarantinedAt !== undefined;

const TAKEN_UP_WITHIN_MS = 90_000;
/** Faults strike for 25 seconds, and each of them may end an attempt. */
const MOST_ASKED = 10;

export const promises: Promises<Outcome> = {
  'everything that is to happen happens': ({ happenings, changes }) => [
    ...happenings.flatMap(({ mail, fate, isDone }) => (isDone ? [] : [`"${mail.subject}" ${fate}: not yet`])),
    ...changes.flatMap(({ name, fate, doneAt }) => (doneAt === undefined ? [`the rule ${name} ${fate}: not yet`] : [])),
  ],

  'P13 no email is lost': ({ mails, happenings, emails, emailIds }) => [
    ...mails.flatMap(({ subject, messageId }) => {
      const found = emails.filter((email) => email.subject === subject);
      const wanted = has(fatesOf(happenings, subject), 'is removed') ? 0 : 1;
      if (found.length !== wanted) return [`"${subject}" is stored ${found.length} times`];
      const isSame = wanted === 0 || found[0]?._id === emailIds.get(messageId);
      return isSame ? [] : [`"${subject}" was answered for with another id`];
    }),
    ...emails
      .filter((email) => !email.classifiedAt && !isQuarantined(email))
      .map(({ subject }) => `"${subject}" is not classified`),
  ],
  'nothing is left of an email that was removed': ({ emails, remains }) => {
    const ids = new Set(emails.map(({ _id }) => _id));
    return remains.flatMap(({ collection, emailId }) => (ids.has(emailId) ? [] : [`${collection} of ${emailId}`]));
  },
  'what people do with an email stays': ({ emails, happenings }) =>
    emails.flatMap((email) => {
      const own = fatesOf(happenings, email.subject);
      const isWrong = email.isRead !== has(own, 'is read') || (email.folderType === 'TRASH') !== has(own, 'is trashed');
      return isWrong ? [`"${email.subject}" is in ${email.folderType}, and ${email.isRead ? '' : 'not '}read`] : [];
    }),
  'P21 every change is announced, once': (outcome) => {
    const { emails, witness, broker } = outcome;
    const told = announced(broker);
    const stored = new Set(emails.map(({ _id }) => _id));
    const removed = [...witness.stored.keys()].filter((emailId) => !stored.has(emailId));
    const inWords = (what: string) => `${told.get(what)?.size ?? 0} events ${what}`;
    const isWrong = (what: string) => told.get(what)?.size !== 1;
    return [
      ...removed
        .flatMap((emailId) => changesOfRemoved(emailId, witness))
        .filter((what) => !told.has(what))
        .map(inWords),
      ...[...stored]
        .map((emailId) => `email.removed ${emailId}`)
        .filter((what) => told.has(what))
        .map(inWords),
      ...casesOf(outcome).flatMap((one) => {
        const { subject, owedSince } = one.email;
        const pending = owedSince === undefined ? [] : [`"${subject}" has a pending event in the end`];
        const wrong = changesOf(one).filter(isWrong);
        return [...pending, ...wrong.map((what) => `"${subject}": ${inWords(what)}`)];
      }),
    ];
  },
  'P13 one classification and its labels each': (outcome) =>
    casesOf(outcome).flatMap((one) => {
      const { _id, subject, workspaceId, labelIds } = one.email;
      const times = outcome.witness.classified.get(_id)?.length ?? 0;
      const isWrong = LABELS.some((label) => {
        const count = labelIds.filter((id) => id === labelIdOf(workspaceId, label)).length;
        return isNot(count, hasLabel(one, label));
      });
      return [
        ...(times > 1 ? [`"${subject}" was classified ${times} times`] : []),
        ...(isWrong ? [`"${subject}" has the labels [${labelIds.join()}]`] : []),
      ];
    }),
  'P13 one reply each, where its label says so': (outcome) =>
    casesOf(outcome).flatMap((one) => {
      const { _id, subject } = one.email;
      const replies = [...outcome.sent.replies.values()].filter((emailId) => emailId === _id).length;
      return isNot(replies, isAnswered(one)) ? [`"${subject}" has ${replies} replies`] : [];
    }),
  'P13 one forward each, where a rule says so': (outcome) =>
    casesOf(outcome).flatMap((one) => {
      const { _id, subject } = one.email;
      const all = [...outcome.sent.forwards.values()];
      return [...forwardsOf(one)].flatMap(([ruleId, isWanted]) => {
        const made = all.filter((what) => what === `${ruleId} ${_id}`).length;
        return isNot(made, isWanted) ? [`"${subject}" has ${made} forwards of ${ruleId}`] : [];
      });
    }),
  'P15 an attempt at forwards is alone, and is counted until it ends': ({ attempts, isDatabaseSound }) => [
    ...attempts.atOnce,
    ...[...attempts.open]
      .filter(([, { by }]) => isDatabaseSound && by.isAlive)
      .map(([id, { by }]) => `the attempt of ${by.name} at ${id} stays counted`),
  ],
  'P14 an answer is in the thread of its original': ({ mails, emails, emailIds }) => {
    const emailOf = (messageId: string) => emails.find(({ _id }) => _id === emailIds.get(messageId));
    const unfinished = emails.filter(({ isUnsettled }) => isUnsettled);
    return [
      ...unfinished.map(({ subject }) => `"${subject}" has no complete thread`),
      ...mails.flatMap(({ subject, messageId, inReplyTo }) => {
        const [own, original] = [emailOf(messageId), inReplyTo === undefined ? undefined : emailOf(inReplyTo)];
        const isApart = own && original && own.threadId !== original.threadId;
        return isApart ? [`"${subject}" is not in the thread of its original`] : [];
      }),
    ];
  },
  'P14 the order in a thread is kept': ({ witness }) => [...witness.overtaken],
  'a lease is taken when the one before is over': ({ witness }) => [...witness.takenTwice],
  // Each answer costs. A service that is unavailable behind it, for however long, makes no further question.
  'the model is asked once about an email where nothing breaks, and seldom where something does': (outcome) =>
    ordinary(outcome.emails).flatMap(({ subject, workspaceId }) => {
      // An email that waits is asked about anew where its rules are others by then.
      const changed = outcome.changes.filter((one) => one.kind === 'label' && one.workspaceId === workspaceId).length;
      const most = outcome.hasRepeats ? MOST_ASKED : 1 + changed;
      return [subject, replyTo(subject)].flatMap((question) => {
        const times = outcome.asked.get(question) ?? 0;
        return times > most ? [`the model was asked about "${question}" ${times} times`] : [];
      });
    }),
  'P25 pending work is taken up in time': ({ emails, witness, calmAt }) =>
    ordinary(emails).flatMap(({ _id, subject }) => {
      const latest = Math.max(calmAt, witness.stored.get(_id)?.at ?? 0) + TAKEN_UP_WITHIN_MS;
      const [at = Infinity] = witness.classified.get(_id) ?? [];
      return at <= latest ? [] : [`"${subject}" was classified ${(at - latest) / 1_000} s too late`];
    }),
  'P15 each poison ends in quarantine until its cause is removed, and nothing else does': ({
    emails,
    operator,
    deadLetters,
  }) => [
    ...emails
      .filter((email) => (isPoison(email) && operator?.cures !== true) !== isQuarantined(email))
      .map(({ subject, classification }) => {
        return `"${subject}" is ${classification?.quarantinedAt ? '' : 'not '}in quarantine (${classification?.cause ?? ''})`;
      }),
    ...deadLetters.map(({ topic, cause }) => `a dead letter of ${topic}: ${cause}`),
  ],
};

const casesOf = ({ emails, happenings, changes, witness }: Outcome): Case[] =>
  emails.map((email) => ({ email, own: fatesOf(happenings, email.subject), changes, witness }));

/** Once where it is wanted, and at most once where that is left to chance. */
function isNot(times: number, isWanted: boolean | undefined): boolean {
  return isWanted === undefined ? times > 1 : times !== Number(isWanted);
}

/** Emails of threads without poison: those behind one wait for its quarantine. */
function ordinary(emails: readonly StoredEmail[]): StoredEmail[] {
  const poisoned = new Set(emails.filter(isPoison).map(({ threadId }) => threadId));
  return emails.filter(({ threadId }) => !poisoned.has(threadId));
}

/**
 * The events of an email that was removed, each told at least once: two calls that remove it at once each say so, and a
 * call that stood still may store it again until the next pass.
 */
const changesOfRemoved = (emailId: string, { classified }: Witness): string[] => [
  `email.received ${emailId}`,
  ...(classified.has(emailId) ? [`email.classified ${emailId}`] : []),
  `email.removed ${emailId}`,
];

/** The events of one email, each of which is to be told once. */
function changesOf({ email: { _id, workspaceId, labelIds, classifiedAt }, own, changes }: Case): string[] {
  const takenOff = own.filter(({ isTakenOff }) => isTakenOff).map(({ label }) => labelIdOf(workspaceId, label));
  // It may be taken off twice where it is put on again meanwhile.
  const removed = own.filter(
    ({ isTakenOff, label: name }) =>
      isTakenOff &&
      !isDeleted(changes, { workspaceId, kind: 'label', name }) &&
      !own.some(({ fate, label }) => fate === 'is given a label' && label === name),
  );
  // A label that was also taken off may be given twice.
  const applied = labelIds.filter((labelId) => !takenOff.includes(labelId));
  return [
    `email.received ${_id}`,
    ...(classifiedAt ? [`email.classified ${_id}`] : []),
    ...applied.map((labelId) => `label.applied ${_id} ${labelId}`),
    ...removed.map(({ label }) => `label.removed ${_id} ${labelIdOf(workspaceId, label)}`),
    ...(has(own, 'is trashed') ? [`email.deleted ${_id}`] : []),
    ...(has(own, 'is read') ? [`email.updated ${_id}`] : []),
  ];
}
