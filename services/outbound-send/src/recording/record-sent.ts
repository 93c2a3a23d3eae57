import type { AutoForwardStatus } from '@postroom/contract/lists';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import {
  StoreOutgoingRequest,
  UpdateOutgoingRequest,
  type MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { FORMER_MODE } from '../attach/copy-attachments.ts';
import type { AnsweredEmails } from '../answered-emails/answered-emails.ts';
import { composeDeliveryReport } from './delivery-report.ts';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import type { SendDeps, ShownState, Undeliverable } from '../sending/send-deps.ts';

export interface RecordingDeps {
  context: Pick<ServiceContext, 'clock'>;
  mailReader: Pick<MailReaderStore, 'answered'>;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing' | 'updateOutgoing'>;
  labelRule: Pick<Client<LabelRuleServiceDefinition>, 'recordForward'>;
  /** Absent where no email is recorded. */
  answered?: Pick<AnsweredEmails, 'of'>;
}

/** Shows a send in its mailbox and in the log of its rule. A repeated call changes nothing in the owning services. */
export function recording({
  mailboxWrite,
  labelRule,
  mailReader,
  answered,
  context,
}: RecordingDeps): Pick<SendDeps, 'record' | 'show' | 'reportUndelivered'> {
  const showOnDraft = createShowOnDraft({ mailboxWrite, mailReader });

  const showInLog = async (send: SendDocument, shown: ShownState) => {
    const { ruleId, sourceEmailId, to, mode, attempts } = send;
    const told = toldInLog(shown);
    if (!told || ruleId === null || sourceEmailId === null) return;
    const [forwardTo = ''] = to;
    const line = { ruleId, emailId: sourceEmailId, forwardTo, mode: mode ?? FORMER_MODE, attempts, ...told };
    await labelRule.recordForward(line, { workspaceId: send.workspaceId });
  };

  return {
    record: async (send) => {
      const sent = { ...sentEmail(send), answered: answered?.of(send._id) };
      const email = await mailboxWrite.storeOutgoing(sent, contextOf(send));
      return email.id;
    },
    reportUndelivered: async (send, failed, outcome) => {
      const operationId = reportIdOf(send, failed, outcome);
      const date = context.clock.date();
      const raw = await composeDeliveryReport({ send, failed, outcome, operation: operationId, date });
      const report = StoreOutgoingRequest.create({ mailboxId: send.mailboxId, folderType: 'INBOX', raw });
      await mailboxWrite
        .storeOutgoing(report, { workspaceId: send.workspaceId, operationId })
        .catch((error: unknown) => {
          // Nobody could read the report of a deleted mailbox.
          if ((error as { code?: unknown }).code !== 'MAILBOX_NOT_FOUND') throw error;
        });
    },
    show: async (send, shown) => {
      if (send.kind === 'forward') await showInLog(send, shown);
      return showOnDraft(send, shown);
    },
  };
}

/** Shows a send on the draft that it is made of. False where the draft was deleted, is a person's by now, or has been sent. */
function createShowOnDraft({ mailboxWrite, mailReader }: Pick<RecordingDeps, 'mailboxWrite' | 'mailReader'>) {
  /** The draft of a reply may exist although its scheduling was never finished. */
  const draftOf = async ({ workspaceId, mailboxId, messageId, draftId, kind }: SendDocument) => {
    if (kind === 'send' || kind === 'approved') return draftId;
    if (kind !== 'reply') return null;
    if (draftId !== null) return draftId;
    return (await mailReader.answered(workspaceId, mailboxId, messageId, QUERY_BUDGET))?._id ?? null;
  };

  return async (send: SendDocument, { status, sendAt }: ShownState): Promise<boolean> => {
    // The draft becomes the sent email when that is stored.
    const emailId = status === 'sent' ? null : await draftOf(send);
    if (emailId === null) return true;
    // A draft without a schedule shows that it leaves, so that nobody throws it away meanwhile. After a failure it is as before.
    const shown = send.kind === 'reply' || status === 'sending' ? { scheduledStatus: status, ...timed(sendAt) } : {};
    const update = UpdateOutgoingRequest.create({ emailId, ...shown, epoch: send.epoch });
    return mailboxWrite.updateOutgoing(update, contextOf(send)).then(
      () => true,
      (error: unknown) => {
        if ((error as { code?: unknown }).code === 'EMAIL_NOT_FOUND') return false;
        throw error;
      },
    );
  };
}

/** One report names all recipients that the server refused at once. Recipients deferred before have other reports. */
function reportIdOf(
  { _id, remainderOf }: SendDocument,
  failed: readonly RefusedPart[],
  outcome: Undeliverable,
): string {
  // An unknown outcome has its own report id, so that a later report with the real outcome is stored too.
  if (outcome === 'unknown') return deterministicId('rpt', _id, outcome);
  if (remainderOf === null) return deterministicId('rpt', _id);
  return deterministicId('rpt', remainderOf, ...failed.map(({ address }) => address));
}

const LONGEST_REASON = 300;

const LOGGED: Record<ShownState['status'], AutoForwardStatus> = {
  sent: 'sent',
  canceled: 'skipped',
  waiting: 'pending',
  failed: 'failed',
  pending: 'failed',
  sending: 'failed',
};

/** An attempt that begins has no reason yet. The answer of a mail server may be long and have several lines. */
function toldInLog({ status, sendAt, reason }: ShownState): { status: AutoForwardStatus; reason?: string } | undefined {
  if (status === 'sent') return { status: 'sent' };
  if (reason === null) return undefined;
  const said = reason.replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
  if (status === 'pending') return { status: 'failed', reason: `${said}; it is tried again` };
  if (status === 'waiting') return { status: 'pending', reason: `${said}; it leaves at ${sendAt?.toISOString()}` };
  return { status: LOGGED[status], reason: said };
}

function sentEmail({ kind, mailboxId, wire, kept, draftId, scheduledSendAt }: SendDocument): StoreOutgoingRequest {
  return StoreOutgoingRequest.create({
    mailboxId,
    folderType: 'SENT',
    raw: kept ?? wire ?? Buffer.alloc(0),
    isAutoReply: kind === 'reply',
    isAutoForward: kind === 'forward',
    announcesDraftSent: kind === 'send' || kind === 'approved',
    ...(draftId !== null && { draftId }),
    ...(kind === 'reply' && draftId !== null && { scheduledStatus: 'sent', ...timed(scheduledSendAt) }),
  });
}

const timed = (at: Date | null) => (at === null ? {} : { scheduledSendAt: at.toISOString() });

const contextOf = ({ workspaceId, _id }: SendDocument) => ({ workspaceId, operationId: _id });
