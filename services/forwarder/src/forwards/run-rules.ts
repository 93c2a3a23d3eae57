import { addressKey } from '@postroom/contract/address';
import type { AutoForwardStatus } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import type { ErrorCode } from '@postroom/errors/catalogue';
import type { CountedAttempts } from '@postroom/events/counted-attempts';
import type { EventOf } from '@postroom/events/event';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Client } from '@postroom/rpc/definition';
import type { Counter } from '@postroom/runtime/metrics';
import { appliesTo, wordsOf } from './condition.ts';
import type { ForwardedEmail, ForwardDataStore } from './mail-store.ts';

export interface RunRulesDeps {
  mail: ForwardDataStore;
  outboundSend: Pick<Client<OutboundSendServiceDefinition>, 'forwardEmail'>;
  labelRule: Pick<Client<LabelRuleServiceDefinition>, 'recordForward'>;
  skipped: Counter;
  attempts: Pick<CountedAttempts, 'attempt'>;
}

/** The immediate result of a forward. outbound-send logs the attempts of a forward in transit. */
interface Outcome {
  status: Extract<AutoForwardStatus, 'skipped' | 'failed'>;
  reason: string | undefined;
  /** Counts skipped forwards for the metrics. */
  label?: 'automatic' | 'sender' | 'own';
}

const FINAL = new Set<ErrorCode>(['MAILBOX_INACTIVE', 'MAILBOX_NOT_FOUND', 'EMAIL_NOT_FOUND', 'VALIDATION_FAILED']);

interface ClassifiedEmail {
  workspaceId: string;
  emailId: string;
  /** The labels that its classification gave it. */
  labelIds: readonly string[];
  /** The facts that its event tells. A sweep has none. */
  compared?: Compared;
  /** An email whose dead letter is replayed has new attempts. */
  replays?: number;
  /** It was classified a moment ago: its labels are those that its event tells, and the log is not asked. */
  isYoung?: boolean;
}

type CheckedEmail = Omit<ForwardedEmail, 'folderType'>;
type Compared = EventOf<'email.classified'>['data']['compared'];

/**
 * The rules of which an email has what they compare: sender and subject never change, and labels are read again before a
 * forward, unless the event is young. Most emails have none such, and cost nothing more. An event of an earlier version does not tell.
 */
export function mayApply(
  rules: readonly AutoForwardRuleDocument[],
  compared: Compared,
): readonly AutoForwardRuleDocument[] {
  if (!compared) return rules;
  const { sender, subject, labelNames: labels } = compared;
  return rules.filter((rule) => appliesTo(rule, { sender, subject, labels }));
}

/** Runs rules over one email, each at most once however often it is asked. */
export async function runRules(
  deps: RunRulesDeps,
  email: ClassifiedEmail,
  rules: readonly AutoForwardRuleDocument[],
): Promise<void> {
  if (rules.length === 0) return;
  const id = `${email.emailId}:${email.replays ?? 0}`;
  await deps.attempts.attempt(email.workspaceId, id, () => applyRules(deps, email, rules));
}

async function applyRules(
  deps: RunRulesDeps,
  { workspaceId, emailId, labelIds, compared, isYoung = false }: ClassifiedEmail,
  rules: readonly AutoForwardRuleDocument[],
): Promise<void> {
  const email = toldOf(emailId, compared) ?? (await inInbox(deps, workspaceId, emailId));
  if (!email) return;
  const compareLabels = rules.some(({ conditionField }) => conditionField === 'label');
  const told = isYoung ? compared?.labelNames : undefined;
  const labels = told ?? (compareLabels ? await deps.mail.aiLabelNames(workspaceId, labelIds) : []);
  const candidate = { sender: email.senderAddress, subject: email.subject, labels };
  for (const rule of rules.filter((one) => appliesTo(one, candidate))) {
    // For an event that comes twice, outbound-send is asked twice, and it makes each forward once.
    if (isYoung || !(await deps.mail.isLogged(workspaceId, rule._id, emailId))) await forward(rule, email, deps);
  }
}

/** These facts never change, so the email is not read. outbound-send forwards nothing that has left the inbox. */
function toldOf(_id: string, compared: Compared): CheckedEmail | undefined {
  const { sender: senderAddress, subject, isAutomatic } = compared ?? {};
  if (senderAddress === undefined || subject === undefined || isAutomatic === undefined) return undefined;
  return { _id, senderAddress, subject, isAutomatic };
}

/** An email that was deleted or moved to the trash meanwhile is not forwarded. */
async function inInbox({ mail }: RunRulesDeps, workspaceId: string, emailId: string): Promise<CheckedEmail | null> {
  const email = await mail.email(workspaceId, emailId);
  return email?.folderType === 'INBOX' ? email : null;
}

async function forward(rule: AutoForwardRuleDocument, email: CheckedEmail, deps: RunRulesDeps): Promise<void> {
  const { workspaceId, _id: ruleId, forwardTo, mode } = rule;
  const outcome = precondition(rule, email) ?? (await send(rule, email, deps));
  if (!outcome) return;
  const { status, reason, label } = outcome;
  if (label) deps.skipped.add(1, { reason: label });
  const line = { ruleId, emailId: email._id, forwardTo, mode, status, reason, attempts: 0 };
  await deps.labelRule.recordForward(line, { workspaceId });
}

/** The reason why this email must not be forwarded by this rule, whatever its condition says. */
function precondition({ forwardTo }: AutoForwardRuleDocument, email: CheckedEmail): Outcome | undefined {
  // Automatic mail makes loops. Our own forwards and replies are marked as automatic, too (RFC 3834).
  if (email.isAutomatic)
    return { status: 'skipped', reason: 'automatic mail, list mail and bounces are not forwarded', label: 'automatic' };
  if (email.senderAddress === addressKey(forwardTo))
    return { status: 'skipped', reason: 'it came from there', label: 'sender' };
  return undefined;
}

async function send(
  rule: AutoForwardRuleDocument,
  { _id: emailId }: CheckedEmail,
  { outboundSend }: RunRulesDeps,
): Promise<Outcome | undefined> {
  const { workspaceId, _id: ruleId, forwardTo, mode, updatedAt } = rule;
  const operationId = `forward:${ruleId}:${emailId}`;
  const cause = { ruleUpdatedAt: updatedAt.toISOString(), reason: wordsOf(rule) };
  const request = { emailId, ruleId, forwardTo, mode, ...cause };
  try {
    const { status, reason } = await outboundSend.forwardEmail(request, { workspaceId, operationId });
    return status === 'skipped' ? { status, reason, label: 'own' } : undefined;
  } catch (error) {
    // Refused for good: the mailbox is disconnected, or the email went meanwhile. Anything else is tried again.
    if (error instanceof ApiError && FINAL.has(error.code)) {
      return { status: 'failed', reason: error.message };
    }
    throw error;
  }
}
