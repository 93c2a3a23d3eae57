import { isAddress } from '@postroom/contract/address';
import { bounds } from '@postroom/contract/bounds';
import { AUTO_FORWARD_FIELDS, AUTO_FORWARD_MODES, AUTO_FORWARD_STATUSES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { atLeastOne } from './at-least-one.ts';
import { dateTime } from './date-time.ts';
import { limit } from './paging.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { trimmedText } from './text.ts';

const conditionField = z.enum(AUTO_FORWARD_FIELDS);
const mode = z.enum(AUTO_FORWARD_MODES).meta({
  description: '`normal` quotes the email under a `Fwd:` subject; `invisible` passes its content on, with `Reply-To`.',
});

const autoForwardRule = replySchema(
  'AutoForwardRule',
  z.object({
    id: z.string(),
    conditionField,
    conditionValue: z.string().meta({ description: 'The name of an AI label, or text that is compared without case.' }),
    // No format: JSON Schema's email is ASCII, and ours may be of any language.
    forwardTo: z.string(),
    mode,
    isActive: z.boolean().meta({ description: 'A rule that is not active is kept, and forwards nothing.' }),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
export const autoForwardReply = replySchema('AutoForwardRuleReply', z.object({ rule: autoForwardRule }));
export const autoForwardListReply = replySchema(
  'AutoForwardRuleListReply',
  z.object({ items: z.array(autoForwardRule) }),
);

const autoForwardLog = replySchema(
  'AutoForwardLog',
  z.object({
    id: z.string(),
    ruleId: z.string(),
    emailId: z.string(),
    forwardTo: z.string(),
    mode: z.enum(AUTO_FORWARD_MODES),
    status: z.enum(AUTO_FORWARD_STATUSES),
    reason: z.string().nullable().meta({ description: 'Why it failed or was skipped.' }),
    attempts: z.int(),
    createdAt: dateTime,
  }),
);
export const autoForwardLogReply = replySchema('AutoForwardLogReply', z.object({ items: z.array(autoForwardLog) }));
export const autoForwardLogQuery = z.object({ limit });

const conditionValue = trimmedText(bounds.autoForwardValue);
const forwardTo = z
  .string()
  .trim()
  .refine(isAddress, 'must be one plain email address')
  .meta({ format: 'email', minLength: bounds.address.min, maxLength: bounds.address.max });
const isActive = z.boolean();

export const createAutoForwardRequest = requestSchema(
  'CreateAutoForwardRuleRequest',
  z.strictObject({
    conditionField: conditionField.default('label'),
    conditionValue,
    forwardTo,
    mode: mode.default('normal'),
    isActive: isActive.default(true),
  }),
);
export const updateAutoForwardRequest = requestSchema(
  'UpdateAutoForwardRuleRequest',
  atLeastOne(
    z.strictObject({
      conditionField: conditionField.optional(),
      conditionValue: conditionValue.optional(),
      forwardTo: forwardTo.optional(),
      mode: mode.optional(),
      isActive: isActive.optional(),
    }),
  ),
);

export function toJsonAutoForwardRule(message: proto.AutoForwardRule): z.input<typeof autoForwardRule> {
  return {
    id: message.id,
    conditionField: message.conditionField as z.input<typeof conditionField>,
    conditionValue: message.conditionValue,
    forwardTo: message.forwardTo,
    mode: message.mode as z.input<typeof mode>,
    isActive: message.isActive,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}

export function toJsonAutoForwardLog(message: proto.AutoForwardLog): z.input<typeof autoForwardLog> {
  return {
    id: message.id,
    ruleId: message.ruleId,
    emailId: message.emailId,
    forwardTo: message.forwardTo,
    mode: message.mode as z.input<typeof mode>,
    status: message.status as z.input<typeof autoForwardLog>['status'],
    reason: message.reason ?? null,
    attempts: message.attempts,
    createdAt: message.createdAt,
  };
}
