import type { FilterField } from '@postroom/contract/filter-fields';
import { dateField } from './date-field.ts';
import type { FieldFamily } from './field-family.ts';
import { flagField } from './flag-field.ts';
import { labelField } from './label-field.ts';
import { senderField } from './sender-field.ts';
import { textField } from './text-field.ts';
import { folderField, senderDomainField } from './value-field.ts';

/** The query of each field of the public grammar. */
export const fields: Readonly<Record<FilterField, FieldFamily>> = {
  from: senderField,
  to: textField('to'),
  cc: textField('cc'),
  subject: textField('subject'),
  body: textField('text'),
  any_text: textField('from', 'to', 'cc', 'subject', 'text'),
  sender_domain: senderDomainField,
  ai_label: labelField(({ aiLabelIds }) => aiLabelIds),
  label: labelField(({ labelIds }) => labelIds),
  read_status: flagField('isRead'),
  star_status: flagField('isStarred'),
  has_attachments: flagField('hasAttachments'),
  waiting_for_reply: flagField('waitingForReply'),
  is_auto_reply: flagField('isAutoReply'),
  is_auto_forward: flagField('isAutoForward'),
  date: dateField,
  folder: folderField,
};
