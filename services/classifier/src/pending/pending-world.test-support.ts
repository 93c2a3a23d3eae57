import type { RecordClassificationRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { alwaysAvailable, askedEmail, withoutPatterns, withStrangers } from '../classify/in-memory.test-support.ts';
import type { Model } from '../model/model.ts';
import type { DueBy, PendingEmail, WhichEmail } from './pending-store.ts';
import type { ClassifyWorkerDeps } from './worker.ts';

const RULE = {
  _id: 'air_1',
  labelId: 'lbl_1',
  condition: 'asks',
  autoDraftEnabled: false,
  autoReplyEnabled: false,
  autoReplyConfidenceThreshold: 80,
  autoReplyDelayMinutes: 5,
  updatedAt: new Date(0),
};

type Stored = PendingEmail & { mailboxId: string; threadId: string };
export type PendingWorld = ReturnType<typeof pendingWorld>;

/** MongoDB and mailbox-write as far as pending emails need them, with the same rules of what changes what. */
export function pendingWorld({ clock = manualClock() }: { clock?: ManualClock } = {}) {
  const emails = new Map<string, Stored>();
  /** Ids in the order in which they were classified; an id twice is an email that was recorded twice. */
  const classified: { emailId: string; at: number }[] = [];
  /** Ids of the emails that the model was asked about, as often as it was. */
  const asked: string[] = [];
  const model: Model = {
    availability: alwaysAvailable,
    judge: async ({ rules, mail }) => {
      asked.push(mail.text);
      const verdicts = rules.map(({ ruleId }) => ({ ruleId, applies: true, confidence: 90, reason: '' }));
      return { verdicts, model: 'm', inputTokens: 1, outputTokens: 1 };
    },
    reply: async () => undefined,
  };
  const world = {
    clock,
    emails,
    classified,
    asked,
    model,
    arrive: (emailId: string, { workspaceId = 'wsp_1', threadId = emailId } = {}): WhichEmail => {
      const at = clock.date();
      emails.set(emailId, {
        ...facts(emailId, workspaceId, at),
        mailboxId: `mbx_${workspaceId}`,
        threadId,
        awaitsClassificationSince: at,
        classification: { order: emails.size },
      });
      return { workspaceId, mailboxId: `mbx_${workspaceId}`, emailId, threadId };
    },
    quarantined: () => [...emails.values()].filter(({ classification }) => classification?.quarantinedAt),
    waiting: () => [...emails.values()].filter(({ awaitsClassificationSince }) => awaitsClassificationSince),
    pending: pendingOf(emails),
    deps: (): ClassifyWorkerDeps => ({
      clock,
      log: silentLog,
      failures: { add: () => undefined },
      pending: world.pending,
      mail: { body: async (_workspaceId, emailId) => ({ html: null, text: emailId }) },
      correspondence: withStrangers,
      compiled: withoutPatterns,
      rulesOf: async (workspaceId) => (workspaceId === 'wsp_without_rules' ? [] : [RULE]),
      livingRules: async (_workspaceId, rules) => [...rules],
      answers: { find: async () => undefined },
      model: world.model,
      modelUse: { of: () => () => undefined },
      mailboxWrite: mailboxWriteOf(emails, classified, clock),
      outboundSend: { scheduleReply: async () => ({ draftId: '' }) },
    }),
  };
  return world;
}

function facts(_id: string, workspaceId: string, date: Date) {
  return { ...askedEmail({ _id, subject: _id, date }), workspaceId };
}

function pendingOf(emails: ReadonlyMap<string, Stored>) {
  const waiting = (workspaceId: string) =>
    [...emails.values()].filter((one) => one.workspaceId === workspaceId && one.awaitsClassificationSince);
  const isDue = ({ now, cameBefore, notOf = [] }: DueBy) => {
    return ({ awaitsClassificationSince: since, classification, threadId }: Stored) =>
      !notOf.includes(threadId) &&
      since !== undefined &&
      since <= cameBefore &&
      !(classification?.notBefore && classification.notBefore > now);
  };
  const moment = ({ classification }: Stored) => classification?.notBefore?.getTime() ?? 0;
  return {
    inThread: async (workspaceId: string, { mailboxId, threadId }: WhichEmail) =>
      waiting(workspaceId)
        .filter((one) => one.mailboxId === mailboxId && one.threadId === threadId)
        .toSorted((one, other) => (one.classification?.order ?? 0) - (other.classification?.order ?? 0))
        .slice(0, 50)
        .map((one) => structuredClone(one)),
    due: async (workspaceId: string, by: DueBy, limit: number) =>
      waiting(workspaceId)
        .filter(isDue(by))
        .toSorted((one, other) => moment(one) - moment(other))
        .slice(0, limit)
        .map(({ _id: emailId, mailboxId, threadId }) => ({ workspaceId, mailboxId, emailId, threadId })),
    everyWorkspacesNext: async (behind: string, by: DueBy) =>
      [...emails.values()]
        .filter(isDue(by))
        .map(({ workspaceId }) => workspaceId)
        .filter((workspaceId) => workspaceId > behind)
        .toSorted()[0],
  };
}

function mailboxWriteOf(
  emails: ReadonlyMap<string, Stored>,
  classified: { emailId: string; at: number }[],
  clock: ManualClock,
): ClassifyWorkerDeps['mailboxWrite'] {
  return {
    postponeClassification: async ({ emailId, seen, notBefore, attempts, cause, quarantine }) => {
      const email = emails.get(emailId);
      const { notBefore: stored, ...kept } = email?.classification ?? {};
      if (!email?.awaitsClassificationSince || stored?.toISOString() !== seen) return { isChanged: false };
      email.classification = {
        ...kept,
        ...(quarantine ? { quarantinedAt: clock.date() } : { notBefore: new Date(notBefore) }),
        ...(attempts !== undefined && { attempts }),
        ...(cause !== undefined && { cause }),
      };
      if (quarantine) delete email.awaitsClassificationSince;
      return { isChanged: true };
    },
    keepVerdicts: async () => ({ verdicts: [] }),
    recordClassification: async ({ emailId = '' }: Partial<RecordClassificationRequest>) => {
      const email = emails.get(emailId);
      if (!email?.awaitsClassificationSince) return { labelIds: [], othersKept: [] };
      delete email.awaitsClassificationSince;
      delete email.classification;
      classified.push({ emailId, at: clock.now() });
      return { labelIds: [], othersKept: [] };
    },
  };
}
