import { foldCase } from '@postroom/mail-store/fold';
import type { LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { HidingCause } from '@postroom/proto/postroom/v1/mailbox_read';
import type { HidingFilter } from '../workspace-settings/settings-store.ts';
import type { ExplainedEmail } from './explanation-store.ts';

interface Hiding {
  filters: readonly HidingFilter[];
  /** Labels of AI rules with `hideFromInbox`. */
  hidingLabelIds: readonly string[];
  /** The living labels of the email. */
  labels: readonly LabelRefDocument[];
}

/** Each filter and label that keeps the email out of the plain inbox, by the conditions of the listing. */
export function hidingCauses(
  email: ExplainedEmail,
  { filters, hidingLabelIds, labels: labelsOfEmail }: Hiding,
): HidingCause[] {
  if (email.folderType !== 'INBOX') return [];
  const nameOf = (labelId: string) => labelsOfEmail.find(({ _id }) => _id === labelId)?.name;
  const ofFilters = filters.flatMap(({ type, value }): HidingCause[] => {
    if (type !== 'label') return isMatch(email, type, value) ? [{ type, value }] : [];
    const name = nameOf(value);
    return name === undefined ? [] : [{ type, value: name }];
  });
  const ofRules = hidingLabelIds.flatMap((labelId): HidingCause[] => {
    const name = nameOf(labelId);
    return name === undefined ? [] : [{ type: 'ai_label', value: name }];
  });
  return [...ofFilters, ...ofRules];
}

function isMatch(email: ExplainedEmail, type: 'sender' | 'domain' | 'subject', value: string): boolean {
  if (type === 'sender') return email.senderAddress === value;
  if (type === 'domain') return email.senderDomain === value;
  return email.folded.subject.includes(foldCase(value));
}
