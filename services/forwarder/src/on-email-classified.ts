import { AUTO_FORWARD_STATUSES, isOneOf, type AutoForwardStatus } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import type { ErrorCode } from '@postroom/errors/catalogue';
import { NotNow } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import { appliesTo } from './condition.ts';
import type { ForwardedEmail, MailStore } from './mail-store.ts';

export interface ForwardDeps {
  mail: MailStore;
  outboundSend: Pick<Client<OutboundSendServiceDefinition>, 'forwardEmail'>;
  labelRule: Pick<Client<LabelRuleServiceDefinition>, 'recordForward'>;
  clock: Pick<Clock, 'now'>;
  perHour: number;
}

interface Outcome {
  status: AutoForwardStatus;
  reason?: string | undefined;
}

const FINAL = new Set<ErrorCode>(['MAILBOX_INACTIVE', 'MAILBOX_NOT_FOUND', 'EMAIL_NOT_FOUND', 'VALIDATION_FAILED']);
const HOUR_MS = 3_600_000;
/** How long an outcome is waited for that outbound-send does not know yet; it goes on with the message by itself. */
const PATIENT_MS = 10 * 60_000;
const ASK_AGAIN_MS = 10_000;

/** Runs the rules of the workspace over one email, each at most once however often the event comes. */
export function createOnEmailClassified(deps: ForwardDeps) {
  return async ({ workspaceId, occurredAt, data }: EventOf<'email.classified'>): Promise<void> => {
    const rules = await deps.mail.activeRules(workspaceId);
    if (rules.length === 0) return;
    const email = await deps.mail.email(workspaceId, data.emailId);
    // Moved to the trash meanwhile, or gone: nobody wants it passed on any more.
    if (!email || email.folderType !== 'INBOX') return;
    const labels = await deps.mail.aiLabelNames(workspaceId, data.labelIds);
    const candidate = { sender: email.senderAddress, subject: email.subject, labels };
    const isPatient = deps.clock.now() - occurredAt.getTime() < PATIENT_MS;
    let isPending = false;
    for (const rule of rules.filter((one) => appliesTo(one, candidate))) {
      if ((await forward(rule, email, deps)) === 'pending') isPending = true;
    }
    if (isPending && isPatient) throw new NotNow(ASK_AGAIN_MS);
  };
}

async function forward(
  rule: AutoForwardRuleDocument,
  email: ForwardedEmail,
  deps: ForwardDeps,
): Promise<'over' | 'pending'> {
  const { workspaceId, _id: ruleId, forwardTo, mode } = rule;
  const before = await deps.mail.line(workspaceId, ruleId, email._id);
  if (before && before.status !== 'failed') return 'over';
  const outcome = (await objection(rule, email, deps)) ?? (await send(rule, email, deps));
  const isPending = outcome === 'pending';
  const told: Outcome = isPending
    ? { status: 'failed', reason: 'the mail server has not taken it yet; it is tried again' }
    : outcome;
  const attempts = (before?.attempts ?? 0) + 1;
  const line = { ruleId, emailId: email._id, forwardTo, mode, status: told.status, reason: told.reason, attempts };
  await deps.labelRule.recordForward(line, { workspaceId });
  return isPending ? 'pending' : 'over';
}

/** Why this email is not to leave by this rule, whatever its condition says. */
async function objection(
  { workspaceId, _id, forwardTo }: AutoForwardRuleDocument,
  email: ForwardedEmail,
  { mail, clock, perHour }: ForwardDeps,
): Promise<Outcome | undefined> {
  // What a machine sent is where loops are made: our own forwards and replies are marked as such, too (RFC 3834).
  if (email.isAutomatic)
    return { status: 'skipped', reason: 'automatic mail, list mail and bounces are not forwarded' };
  if (email.senderAddress === forwardTo.toLowerCase()) return { status: 'skipped', reason: 'it came from there' };
  const sent = await mail.sentSince(workspaceId, _id, new Date(clock.now() - HOUR_MS), perHour);
  if (sent >= perHour) return { status: 'skipped', reason: `the rule has forwarded ${perHour} emails within an hour` };
  return undefined;
}

async function send(
  { workspaceId, _id: ruleId, forwardTo, mode }: AutoForwardRuleDocument,
  { _id: emailId }: ForwardedEmail,
  { outboundSend }: ForwardDeps,
): Promise<Outcome | 'pending'> {
  const operationId = `forward:${ruleId}:${emailId}`;
  const request = { emailId, ruleId, forwardTo, mode };
  try {
    const { status, reason } = await outboundSend.forwardEmail(request, { workspaceId, operationId });
    return isOneOf(AUTO_FORWARD_STATUSES, status) ? { status, reason } : 'pending';
  } catch (error) {
    // Refused for good: the mailbox is disconnected, or the email went meanwhile. Anything else is tried again.
    if (error instanceof ApiError && FINAL.has(error.code)) {
      return { status: 'failed', reason: error.message };
    }
    throw error;
  }
}
