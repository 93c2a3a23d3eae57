import type { InboxFilterDocument } from '@postroom/mail-store/documents/view-filter';
import type { Query } from '@postroom/mail-store/filter-tree/query';
import { containsLiteral } from '@postroom/mail-store/filter-tree/text-field';
import { foldCase } from '@postroom/mail-store/fold';

/** The conditions that hide an email from the plain INBOX listing. */
interface HidingRules {
  filters: readonly Pick<InboxFilterDocument, 'type' | 'value'>[];
  /** Labels of AI rules with `hideFromInbox`. */
  hidingLabelIds: readonly string[];
  /** A filter or a rule whose label is deleted hides nothing any more. */
  livingLabelIds: readonly string[];
}

/** An email is hidden when any of these holds: one list per indexed field, one search per piece of a subject. */
export function hidingQueries({ filters, hidingLabelIds, livingLabelIds }: HidingRules): Query[] {
  const valuesOf = (type: InboxFilterDocument['type']) =>
    filters.filter((filter) => filter.type === type).map(({ value }) => value);
  const labelIds = [...new Set([...valuesOf('label'), ...hidingLabelIds])].filter((id) => livingLabelIds.includes(id));
  return [
    ...anyOf('senderAddress', valuesOf('sender')),
    ...anyOf('senderDomain', valuesOf('domain')),
    ...anyOf('labelIds', labelIds),
    ...valuesOf('subject').map((value) => containsLiteral('subject', foldCase(value))),
  ];
}

function anyOf(field: string, values: string[]): Query[] {
  return values.length === 0 ? [] : [{ [field]: { $in: values } }];
}
