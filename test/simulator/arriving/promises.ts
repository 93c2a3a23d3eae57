import { announced } from '../announced.ts';
import type { Mail } from '../peers/mail-source.ts';
import { replyTo } from '../peers/model.ts';
import type { Sent } from '../peers/outbound-send.ts';
import type { Broker } from '../world/broker.ts';
import { forwardRuleIdOf, labelIdOf } from './setting.ts';
import type { Promises } from '../workload.ts';
import type { Attempts } from './attempts.ts';
import type { Witness } from './witness.ts';

export interface StoredEmail {
  _id: string;
  workspaceId: string;
  threadId: string;
  subject: string;
  labelIds: string[];
  isUnsettled?: boolean;
  owedSince?: Date;
  classifiedAt?: Date;
  classification?: { attempts?: number; cause?: string; quarantinedAt?: Date };
}

/** The stored state, the peers and the broker at the end of a run. */
interface Outcome {
  mails: readonly Mail[];
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
  'P13 no email is lost': ({ mails, emails, emailIds }) => [
    ...mails.flatMap(({ subject, messageId }) => {
      const found = emails.filter((email) => email.subject === subject);
      if (found.length !== 1) return [`"${subject}" is stored ${found.length} times`];
      return found[0]?._id === emailIds.get(messageId) ? [] : [`"${subject}" was answered for with another id`];
    }),
    ...emails
      .filter((email) => !email.classifiedAt && !isQuarantined(email))
      .map(({ subject }) => `"${subject}" is not classified`),
  ],
  'P21 every change is announced, once': ({ emails, broker }) => {
    const told = announced(broker);
    return emails.flatMap((email) => {
      const { _id, subject, labelIds, owedSince, classifiedAt } = email;
      const wanted = [
        `email.received ${_id}`,
        ...(classifiedAt ? [`email.classified ${_id}`] : []),
        ...labelIds.map((labelId) => `label.applied ${_id} ${labelId}`),
      ];
      const wrong = wanted.filter((what) => told.get(what)?.size !== 1);
      const pending = owedSince === undefined ? [] : [`"${subject}" has a pending event in the end`];
      return [...pending, ...wrong.map((what) => `"${subject}": ${told.get(what)?.size ?? 0} events ${what}`)];
    });
  },
  'P13 one classification and its labels each': ({ emails, witness }) =>
    emails.flatMap((email) => {
      const { _id, subject, workspaceId, labelIds } = email;
      const times = witness.classified.get(_id)?.length ?? 0;
      const expected = labelsOf(email).map((name) => labelIdOf(workspaceId, name));
      const isAsExpected = subject.startsWith('perhaps')
        ? labelIds.length <= 1
        : labelIds.toSorted().join() === expected.toSorted().join();
      return [
        ...(times > 1 ? [`"${subject}" was classified ${times} times`] : []),
        ...(isAsExpected ? [] : [`"${subject}" has the labels [${labelIds.join()}]`]),
      ];
    }),
  'P13 one reply each, where its label says so': ({ emails, sent }) =>
    emails.flatMap(({ _id, subject, labelIds, workspaceId }) => {
      const replies = [...sent.replies.values()].filter((emailId) => emailId === _id).length;
      const wanted = labelIds.includes(labelIdOf(workspaceId, 'Prices')) ? 1 : 0;
      return replies === wanted ? [] : [`"${subject}" has ${replies} replies and not ${wanted}`];
    }),
  'P13 one forward each, where a rule says so': ({ emails, sent }) =>
    emails.flatMap((email) => {
      const made = [...sent.forwards.values()].filter((what) => what.endsWith(` ${email._id}`));
      const wanted = forwardsOf(email).map((ruleId) => `${ruleId} ${email._id}`);
      const isRight = made.toSorted().join() === wanted.toSorted().join();
      return isRight ? [] : [`"${email.subject}" has ${made.length} forwards and not ${wanted.length}`];
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
        const isApart = inReplyTo && emailOf(messageId)?.threadId !== emailOf(inReplyTo)?.threadId;
        return isApart ? [`"${subject}" is not in the thread of its original`] : [];
      }),
    ];
  },
  'P14 the order in a thread is kept': ({ witness }) => [...witness.overtaken],
  'a lease is taken when the one before is over': ({ witness }) => [...witness.takenTwice],
  // Each answer costs. A service that is unavailable behind it, for however long, makes no further question.
  'the model is asked once about an email where nothing breaks, and seldom where something does': (outcome) =>
    ordinary(outcome.emails)
      .flatMap(({ subject }) => [subject, replyTo(subject)])
      .flatMap((question) => {
        const times = outcome.asked.get(question) ?? 0;
        const isOften = times > (outcome.hasRepeats ? MOST_ASKED : 1);
        return isOften ? [`the model was asked about "${question}" ${times} times`] : [];
      }),
  'P25 pending work is taken up in time': ({ emails, witness, calmAt }) =>
    ordinary(emails).flatMap(({ _id, subject }) => {
      const latest = Math.max(calmAt, witness.stored.get(_id)?.at ?? 0) + TAKEN_UP_WITHIN_MS;
      const [at = Infinity] = witness.classified.get(_id) ?? [];
      return at <= latest ? [] : [`"${subject}" was classified ${(at - latest) / 1_000} s too late`];
    }),
  'P15 each poison ends in quarantine, and nothing else does': ({ emails, deadLetters }) => [
    ...emails
      .filter((email) => isPoison(email) !== isQuarantined(email))
      .map(({ subject, classification }) => {
        return `"${subject}" is ${classification?.quarantinedAt ? '' : 'not '}in quarantine (${classification?.cause ?? ''})`;
      }),
    ...deadLetters.map(({ topic, cause }) => `a dead letter of ${topic}: ${cause}`),
  ],
};

/** Emails of threads without poison: those behind one wait for its quarantine. */
function ordinary(emails: readonly StoredEmail[]): StoredEmail[] {
  const poisoned = new Set(emails.filter(isPoison).map(({ threadId }) => threadId));
  return emails.filter(({ threadId }) => !poisoned.has(threadId));
}

function labelsOf({ subject }: StoredEmail): string[] {
  if (subject.startsWith('price')) return ['Prices'];
  return subject.startsWith('invoice') ? ['Invoices'] : [];
}

function forwardsOf({ subject, workspaceId }: StoredEmail): string[] {
  if (subject.startsWith('invoice')) return [forwardRuleIdOf(workspaceId, 'Invoices')];
  return subject.startsWith('lunch') ? [forwardRuleIdOf(workspaceId, 'lunch')] : [];
}
