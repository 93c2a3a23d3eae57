import { bounds } from '@postroom/contract/bounds';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { atLeastOne } from './at-least-one.ts';
import { dateTime } from './date-time.ts';
import { labelRef, toJsonLabelRef } from './label.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { name as nameOf, boundedText, trimmedText } from './text.ts';

const { autoReplyThreshold, autoReplyDelayMinutes } = bounds;
const threshold = z.int().min(autoReplyThreshold.min).max(autoReplyThreshold.max);
const delay = z.int().min(autoReplyDelayMinutes.min).max(autoReplyDelayMinutes.max);

const aiLabelRule = replySchema(
  'AiLabelRule',
  z.object({
    id: z.string(),
    label: labelRef,
    condition: z.string().meta({ description: 'In plain language, asked of every incoming email.' }),
    autoDraftEnabled: z.boolean(),
    autoReplyEnabled: z.boolean().meta({ description: 'Replies are sent on behalf of the mailbox.' }),
    autoReplyConfidenceThreshold: threshold.meta({ description: 'Below it a reply stays among the drafts.' }),
    autoReplyDelayMinutes: delay.meta({ description: 'How long a reply waits, and can be cancelled.' }),
    autoReplyNotifyOnSend: z.boolean().meta({ description: 'Kept, without effect.' }),
    hideFromInbox: z.boolean().meta({ description: 'Keeps emails with this label out of the plain INBOX listing.' }),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
export const ruleReply = replySchema('AiLabelRuleReply', z.object({ rule: aiLabelRule }));
export const ruleListReply = replySchema('AiLabelRuleListReply', z.object({ items: z.array(aiLabelRule) }));

const required = {
  name: nameOf(bounds.labelName),
  color: boundedText(bounds.labelColor),
  condition: trimmedText(bounds.aiCondition),
};
const optional = {
  autoDraftEnabled: z.boolean().optional(),
  autoReplyEnabled: z.boolean().optional(),
  autoReplyConfidenceThreshold: threshold.optional(),
  autoReplyDelayMinutes: delay.optional(),
  autoReplyNotifyOnSend: z.boolean().optional(),
  hideFromInbox: z.boolean().optional(),
};
/** A reply is sent from a draft: in the words of the description, as far as one body alone can say it. */
const replyWithoutDraft = { properties: { autoReplyEnabled: { const: true }, autoDraftEnabled: { const: false } } };

export const createRuleRequest = requestSchema(
  'CreateAiLabelRuleRequest',
  z.strictObject({ ...required, ...optional }).meta({ not: { ...replyWithoutDraft, required: ['autoReplyEnabled'] } }),
);
export const updateRuleRequest = requestSchema(
  'UpdateAiLabelRuleRequest',
  atLeastOne(
    z.strictObject({
      name: required.name.optional(),
      color: required.color.optional(),
      condition: required.condition.optional(),
      ...optional,
    }),
    { not: { ...replyWithoutDraft, required: ['autoReplyEnabled', 'autoDraftEnabled'] } },
  ),
);

const backfillLimit = z.int().min(bounds.backfillEmails.min).max(bounds.backfillEmails.max);
export const backfillRequest = requestSchema(
  'BackfillAiLabelsRequest',
  z
    .strictObject({
      limit: backfillLimit.optional().meta({ description: 'How many of the newest of each mailbox; 200 unless said.' }),
      mailboxId: boundedText(bounds.id).optional().meta({ description: 'Every active mailbox unless said.' }),
    })
    .optional(),
);
export const backfillReply = replySchema(
  'BackfillAccepted',
  z.object({
    jobs: z.int().meta({ description: 'One for each mailbox.' }),
    mailboxIds: z.array(z.string()),
  }),
);

export function toJsonAiLabelRule(message: proto.AiLabelRule): z.input<typeof aiLabelRule> {
  if (!message.label) throw new Error('a rule came without its label');
  return {
    id: message.id,
    label: toJsonLabelRef(message.label),
    condition: message.condition,
    autoDraftEnabled: message.autoDraftEnabled,
    autoReplyEnabled: message.autoReplyEnabled,
    autoReplyConfidenceThreshold: message.autoReplyConfidenceThreshold,
    autoReplyDelayMinutes: message.autoReplyDelayMinutes,
    autoReplyNotifyOnSend: message.autoReplyNotifyOnSend,
    hideFromInbox: message.hideFromInbox,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}
