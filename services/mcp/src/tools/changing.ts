import { z } from 'zod';
import { safeLines } from '../mail/mail-text.ts';
import { asked, labelOfEmail } from './fields.ts';
import { readDraft, type DraftReading } from './mail-reading.ts';
import { draftOutput } from './reading-fields.ts';
import { idempotencyKeyIn, idIn, pick } from './rest-call.ts';
import { CHANGES, defineTool, type Tool } from './tool.ts';

const { emailId, emailIds, idempotencyKey } = asked;
const ids = z.array(z.string());
const bulk = { method: 'POST', path: '/emails/bulk' } as const;

const address = z.object({ email: z.string(), name: z.string().optional() });
const composed = {
  mailboxId: z.string().meta({ description: 'The mailbox to write from, from list_mailboxes.' }),
  to: z.array(address),
  cc: z.array(address).optional(),
  bcc: z.array(address).optional(),
  subject: z.string().optional(),
  body: z
    .object({ text: z.string().optional(), html: z.string().optional() })
    .meta({ description: 'text, html or both.' }),
  inReplyTo: z
    .string()
    .optional()
    .meta({ description: 'The messageId of the email that is answered: it joins its thread.' }),
  references: z.array(z.string()).optional(),
  from: z.string().optional().meta({ description: 'An alias of the mailbox; its own address unless given.' }),
  signature: z.string().nullable().optional().meta({ description: 'null for none; the default one unless given.' }),
};

export const changingTools: readonly Tool[] = [
  defineTool({
    name: 'set_email_flags',
    title: 'Mark an email',
    description: 'Marks an email as read or unread, and as starred or not.',
    scope: 'write',
    annotations: CHANGES,
    input: z.object({ emailId, isRead: z.boolean().optional(), isStarred: z.boolean().optional() }),
    output: z.object({ email: z.object({ id: z.string(), isRead: z.boolean(), isStarred: z.boolean() }) }),
    call: (given) => ({
      method: 'PATCH',
      path: `/emails/${idIn(given, 'emailId')}`,
      body: pick(given, ['isRead', 'isStarred']),
    }),
    show: (body: { email: { id: string; isRead: boolean; isStarred: boolean } }) => body,
  }),
  defineTool({
    name: 'label_emails',
    title: 'Label emails',
    description: 'Puts a label on emails, or takes it off. Costs one unit for each email.',
    scope: 'write',
    annotations: CHANGES,
    input: z.object({
      action: z.enum(['apply', 'remove']),
      emailIds,
      labelId: z.string().meta({ description: 'From list_labels or create_label.' }),
      idempotencyKey,
    }),
    output: z.object({ labelId: z.string(), emailIds: ids, skippedIds: ids, updatedCount: z.number() }),
    call: (given) => ({
      ...bulk,
      body: {
        action: given['action'] === 'remove' ? 'removeLabel' : `${String(given['action'])}Label`,
        ...pick(given, ['emailIds', 'labelId']),
      },
      ...idempotencyKeyIn(given),
    }),
    show: (body: { labelId: string; emailIds: string[]; skippedIds: string[]; updatedCount: number }) => body,
  }),
  defineTool({
    name: 'trash_emails',
    title: 'Move emails to the trash',
    description:
      'Moves emails to the trash of their mailboxes, where a person can find them. Costs one unit for each email.',
    scope: 'write',
    annotations: { ...CHANGES, destructiveHint: true },
    input: z.object({ emailIds, idempotencyKey }),
    output: z.object({ deletedIds: ids, skippedIds: ids, noTrashIds: ids }),
    call: (given) => ({
      ...bulk,
      body: { action: 'delete', ...pick(given, ['emailIds']) },
      ...idempotencyKeyIn(given),
    }),
    show: (body: { deletedIds: string[]; skippedIds: string[]; noTrashIds: string[] }) => body,
  }),
  defineTool({
    name: 'create_label',
    title: 'Create a label',
    description: 'Makes a label, which label_emails puts on emails.',
    scope: 'write',
    annotations: { ...CHANGES, idempotentHint: false },
    input: z.object({
      name: z.string().meta({ description: '1 to 50 characters, unlike every other label.' }),
      color: z.string().meta({ description: 'Pink, Blue, Red, Yellow, Green, Purple or Orange.' }),
      idempotencyKey,
    }),
    output: z.object({ label: z.object({ ...labelOfEmail.shape, color: z.string() }) }),
    call: (given) => ({
      method: 'POST',
      path: '/labels',
      body: pick(given, ['name', 'color']),
      ...idempotencyKeyIn(given),
    }),
    show: (body: { label: z.input<typeof labelOfEmail> & { color: string } }) => safeLines(body) as typeof body,
  }),
  defineTool({
    name: 'create_draft',
    title: 'Create a draft',
    description:
      'Prepares an email among the drafts of a mailbox. Nothing is sent: a person reviews it, or send_draft sends it where that is allowed.',
    scope: 'write',
    annotations: { ...CHANGES, idempotentHint: false },
    input: z.object({ ...composed, idempotencyKey }),
    output: draftOutput,
    call: (given) => ({
      method: 'POST',
      path: '/drafts',
      body: pick(given, Object.keys(composed)),
      ...idempotencyKeyIn(given),
    }),
    show: (body: DraftReading, _given, makeId) => readDraft(body, {}, makeId),
  }),
];
