import { announced } from '../announced.ts';
import { CONDITIONS, labelIdOf, LABELS } from '../arriving/setting.ts';
import type { Sent } from '../peers/outbound-send.ts';
import type { Fated } from '../peers/undoers.ts';
import type { Broker } from '../world/broker.ts';
import type { Promises } from '../workload.ts';

export interface StoredEmail {
  _id: string;
  workspaceId: string;
  subject: string;
  labelIds: string[];
  folderType: string;
  undoneEffects?: object[];
  owedSince?: Date;
}

export interface StoredJob {
  _id: string;
  workspaceId: string;
  state: string;
  done: number;
  total: number;
  cause: string | null;
  skipped?: number;
}

/** The owner of a workspace: what is to become of its emails, and the calls for a backfill. */
interface Owner {
  workspaceId: string;
  fates: readonly Fated[];
  calls: number;
  answered: number;
}

interface Outcome {
  owners: readonly Owner[];
  emails: readonly StoredEmail[];
  jobs: readonly StoredJob[];
  deadLetters: readonly { topic: string; cause: string }[];
  /** The number of times that the model was asked about each email. */
  asked: ReadonlyMap<string, number>;
  sent: Sent;
  broker: Broker;
  /** The model may fail once on each email, and a batch of four is tried three times. */
  isModelWhole: boolean;
  /** A fault struck behind which an email may be asked about again. */
  hasRepeats: boolean;
}

interface Case extends Fated {
  email: StoredEmail;
  jobs: number;
}

const casesOf = ({ owners, emails, jobs }: Outcome): Case[] =>
  owners.flatMap(({ workspaceId, fates }) =>
    fates.flatMap((fated) => {
      const email = emails.find(({ subject }) => subject === fated.mail.subject);
      return email ? [{ ...fated, email, jobs: jobs.filter((job) => job.workspaceId === workspaceId).length }] : [];
    }),
  );

interface LabelCount {
  subject: string;
  label: (typeof LABELS)[number];
  count: number;
}

const countsOf = ({ email: { subject, workspaceId, labelIds } }: Case): LabelCount[] =>
  LABELS.map((label) => {
    const count = labelIds.filter((id) => id === labelIdOf(workspaceId, label)).length;
    return { subject, label, count };
  });

/** About `perhaps` the model thinks something else each time. */
const isWanted = ({ subject, label }: LabelCount): boolean => subject.startsWith(CONDITIONS[label]);
const isMissing = (one: LabelCount): boolean => isWanted(one) && one.count === 0;
const isTooMany = (one: LabelCount): boolean =>
  one.count > 1 || (one.count === 1 && !isWanted(one) && !one.subject.startsWith('perhaps'));

/** Faults strike for 25 seconds. */
const MOST_ASKED = 10;

export const promises: Promises<Outcome> = {
  'everything that is to happen happens': ({ owners, deadLetters }) => [
    ...owners.flatMap(({ workspaceId, calls, answered, fates }) => [
      ...(answered < calls ? [`${calls - answered} calls of ${workspaceId} are not answered`] : []),
      ...fates.flatMap(({ mail, fate, isDone }) => (isDone ? [] : [`"${mail.subject}" ${fate}: not yet`])),
    ]),
    ...deadLetters.map(({ topic, cause }) => `a dead letter of ${topic}: ${cause}`),
  ],

  'P13 no email is lost': ({ owners, emails }) =>
    owners.flatMap(({ fates }) =>
      fates.flatMap(({ mail: { subject } }) => {
        const count = emails.filter((email) => email.subject === subject).length;
        return count === 1 ? [] : [`"${subject}" is stored ${count} times`];
      }),
    ),

  'P13 each backfill comes to its end, and passes nothing over that the model reads': ({
    owners,
    jobs,
    isModelWhole,
  }) => [
    ...owners.flatMap(({ workspaceId, calls }) => {
      const count = jobs.filter((job) => job.workspaceId === workspaceId).length;
      return count >= 1 && count <= calls ? [] : [`${calls} calls of ${workspaceId} made ${count} backfills`];
    }),
    ...jobs.flatMap(({ _id, state, done, total, skipped = 0, cause }) => {
      const isRight = state === 'completed' && done <= total && (skipped === 0 || !isModelWhole);
      return isRight ? [] : [`${_id} is ${state} at ${done} of ${total}, ${skipped} passed over: ${cause}`];
    }),
  ],

  'P13 a backfill gives each email its labels, once': (outcome) => {
    const passedOver = outcome.jobs.reduce((sum, { skipped = 0 }) => sum + skipped, 0);
    const missing = casesOf(outcome).filter((one) => one.fate === 'stays' && countsOf(one).some(isMissing));
    return casesOf(outcome)
      .filter(({ fate }) => fate === 'stays')
      .flatMap((one) => countsOf(one).filter((count) => isTooMany(count) || isMissing(count)))
      .filter((count) => isTooMany(count) || missing.length > passedOver)
      .map(({ subject, label, count }) => `"${subject}" has the label ${label} ${count} times`);
  },

  'P31 a label that is undone or taken off stays off, until another backfill': (outcome) =>
    casesOf(outcome).flatMap(({ fate, isTakenOff, jobs, email: { subject, labelIds, undoneEffects = [] } }) => {
      if (!isTakenOff) return [];
      const isKnown = fate !== 'is undone' || undoneEffects.length > 0;
      const isOff = labelIds.length === 0 || jobs > 1;
      return isKnown && isOff ? [] : [`"${subject}", which ${fate}, has the labels ${labelIds.join()}`];
    }),

  'what people do with an email stays': (outcome) =>
    casesOf(outcome).flatMap(({ fate, email: { subject, folderType } }) =>
      (folderType === 'TRASH') === (fate === 'is trashed') ? [] : [`"${subject}" is in ${folderType}`],
    ),

  'P13 a backfill sends nothing': ({ sent: { replies, forwards } }) => [
    ...[...replies.values()].map((emailId) => `a reply to ${emailId}`),
    ...[...forwards.values()].map((what) => `the forward ${what}`),
  ],

  'P21 every label is announced': ({ emails, broker }) => {
    const told = announced(broker);
    return emails.flatMap(({ _id, subject, labelIds, owedSince }) => [
      ...(owedSince === undefined ? [] : [`"${subject}" has a pending event in the end`]),
      ...labelIds.flatMap((labelId) =>
        told.has(`label.applied ${_id} ${labelId}`) ? [] : [`${labelId} of "${subject}" was not announced`],
      ),
      ...(told.has(`email.received ${_id}`) ? [`"${subject}" is old, and was announced as received`] : []),
    ]);
  },

  'the model is asked once for each backfill where nothing breaks, and seldom where something does': (outcome) =>
    casesOf(outcome).flatMap(({ jobs, email: { subject } }) => {
      const times = outcome.asked.get(subject) ?? 0;
      const most = outcome.hasRepeats ? MOST_ASKED * jobs : jobs;
      return times > most ? [`the model was asked about "${subject}" ${times} times, by ${jobs} backfills`] : [];
    }),
};
