import { ApiError } from '@postroom/errors/api-error';
import type { ErrorCode } from '@postroom/errors/catalogue';
import type { RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Client } from '@postroom/rpc/definition';
import type { MailText } from '../mail/mail-text.ts';
import type { Correspondence } from '../correspondence/correspondence.ts';
import type { AskedEmail } from './mail-store.ts';
import type { Model } from '../model/model.ts';
import type { ModelUseCounts } from '../model-use/model-use.ts';
import type { Rule } from './rule-store.ts';

export interface ReplyTextDeps {
  model: Pick<Model, 'reply'>;
  modelUse: Pick<ModelUseCounts, 'of'>;
  correspondence: Correspondence;
}

export interface ScheduleReplyDeps {
  outboundSend: Pick<Client<OutboundSendServiceDefinition>, 'scheduleReply'>;
}

interface Judged {
  email: AskedEmail;
  verdicts: readonly RuleVerdict[];
}

export interface ReplyCall {
  workspaceId: string;
  signal: AbortSignal;
}

/**
 * Without a recipient, a mailbox or a paid plan the email is classified without a reply. Of an email that was removed
 * meanwhile the call that records its classification deletes the verdicts that were kept.
 */
const NO_REPLY = new Set<ErrorCode>([
  'EMAIL_NOT_FOUND',
  'MAILBOX_INACTIVE',
  'MAILBOX_NOT_FOUND',
  'VALIDATION_FAILED',
  'PLAN_REQUIRED',
]);

/** The first applying rule that prepares replies, in the order in which they were made; none for an email that is not in the inbox. */
export function replyingRule({ email, rules, verdicts }: Judged & { rules: readonly Rule[] }): Rule | undefined {
  if (email.folderType !== 'INBOX') return undefined;
  const applying = new Set(verdicts.filter(({ applies }) => applies).map(({ ruleId }) => ruleId));
  return rules.find(({ _id, autoDraftEnabled }) => autoDraftEnabled && applying.has(_id));
}

/** Undefined where the model has nothing to say. */
export async function askForText(
  { correspondence, model, modelUse }: ReplyTextDeps,
  { email, mail, rule }: { email: AskedEmail; mail: MailText; rule: Rule },
  { workspaceId, signal }: ReplyCall,
): Promise<string | undefined> {
  const question = { mail, ...(await correspondence.contextOf(workspaceId, email)) };
  return model.reply(question, signal, modelUse.of(workspaceId, [rule._id]));
}

/**
 * At most one reply for an email, by the first applying rule that prepares replies. outbound-send decides the recipient
 * and whether it may be sent automatically. Neither the mail nor the model influences that.
 */
export async function scheduleReply(
  { outboundSend }: ScheduleReplyDeps,
  { email, verdicts, rule, text }: Judged & { rule: Rule; text: string },
  { workspaceId, signal }: ReplyCall,
): Promise<void> {
  const { confidence = 0, ruleUpdatedAt } = verdicts.find(({ ruleId }) => ruleId === rule._id) ?? {};
  const isSure = confidence >= rule.autoReplyConfidenceThreshold;
  const request = {
    emailId: email._id,
    ruleId: rule._id,
    // The version that was asked: a condition that changed since has not allowed this reply.
    ruleUpdatedAt: ruleUpdatedAt ?? rule.updatedAt.toISOString(),
    text,
    delayMinutes: rule.autoReplyDelayMinutes,
    draftOnly: !rule.autoReplyEnabled || !isSure,
  };
  try {
    await outboundSend.scheduleReply(request, { workspaceId, signal, operationId: `reply:${email._id}` });
  } catch (error) {
    if (!(error instanceof ApiError) || !NO_REPLY.has(error.code)) throw error;
  }
}
