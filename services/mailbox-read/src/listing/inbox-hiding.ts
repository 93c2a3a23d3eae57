import type { InboxFilterDocument } from '@postroom/mail-store/documents/view-filter';
import { NEVER, none, type Query, some } from '@postroom/mail-store/filter-tree/query';
import { containsLiteral } from '@postroom/mail-store/filter-tree/text-field';
import { foldCase } from '@postroom/mail-store/fold';
import type { ListEmailsRequest } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Call } from '@postroom/rpc/call';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';

/** Views show everything; the plain INBOX leaves the hidden emails out, and filtered=only shows nothing but them. */
export async function hidingPart(
  request: Omit<ListEmailsRequest, 'cursor' | 'limit'>,
  call: Call,
  settings: SettingsStore,
): Promise<Query[]> {
  const { viewId, filteredOnly, folderType } = request;
  if (viewId !== undefined) return [];
  if (filteredOnly && folderType !== undefined && folderType !== 'INBOX') return [NEVER];
  if (filteredOnly) return [{ folderType: 'INBOX' }, some(await hiddenEmails(call, settings))];
  return folderType === 'INBOX' ? [none(await hiddenEmails(call, settings))] : [];
}

async function hiddenEmails(call: Call, settings: SettingsStore): Promise<Query[]> {
  const [filters, hidingLabelIds] = await Promise.all([
    settings.inboxFilters(call.workspaceId, call),
    settings.hidingLabelIds(call.workspaceId, call),
  ]);
  const labelIds = [...filters.filter(({ type }) => type === 'label').map(({ value }) => value), ...hidingLabelIds];
  const living = await settings.livingLabels(call.workspaceId, labelIds, call);
  return hidingQueries({ filters, hidingLabelIds, livingLabelIds: living.map(({ _id }) => _id) });
}

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
