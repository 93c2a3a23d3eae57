import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Client } from '@postroom/rpc/definition';
import type { DemoTopic } from './template.ts';
import type { IdsByTopic } from './seed-mail.ts';

interface OrderOptions {
  workspaceId: string;
  idsByTopic: IdsByTopic;
  labelRule: Client<LabelRuleServiceDefinition>;
  viewFilter: Client<ViewFilterServiceDefinition>;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
}

/** Each label with its emails: every n-th email of a topic, the newest included. */
const LABELS: readonly { name: string; color: string; topic: DemoTopic; every: number }[] = [
  { name: 'Invoices', color: 'Yellow', topic: 'bill', every: 1 },
  { name: 'Newsletters', color: 'Blue', topic: 'newsletter', every: 1 },
  { name: 'Customers', color: 'Green', topic: 'support', every: 2 },
  { name: 'Suppliers', color: 'Orange', topic: 'work', every: 3 },
  { name: 'Urgent', color: 'Red', topic: 'support', every: 17 },
];
const LABELLED_MOST = 300;

const FILTERS = [
  { type: 'domain', value: 'trustedstars.example' },
  { type: 'subject', value: 'your sign-in code is' },
];

/** The condition that is checked for every email from now on. */
const AI_RULES = [
  { name: 'To pay', color: 'Purple', condition: 'The email is an invoice or a payment reminder' },
  { name: 'Meetings', color: 'Pink', condition: 'The email is about a meeting or an appointment' },
  {
    name: 'Answered',
    color: 'Green',
    condition: 'The sender asks a question',
    autoDraftEnabled: true,
    autoReplyEnabled: true,
    autoReplyConfidenceThreshold: 70,
    autoReplyDelayMinutes: 1,
    hideFromInbox: true,
  },
];

/** The order a person would have brought into the mail: labels, views, inbox filters and AI label rules. */
export async function seedOrder({
  workspaceId,
  idsByTopic,
  labelRule,
  viewFilter,
  mailboxWrite,
}: OrderOptions): Promise<void> {
  const call = { workspaceId };
  const labelIds = new Map<string, string>();
  for (const { name, color, topic, every } of LABELS) {
    const { id: labelId } = await labelRule.createLabel({ name, color, maySend: true }, call);
    labelIds.set(name, labelId);
    const emailIds = everyNth(idsByTopic.get(topic) ?? [], every).slice(-LABELLED_MOST);
    if (emailIds.length > 0) await mailboxWrite.bulkApplyLabel({ emailIds, labelId }, call);
  }
  for (const { name, icon, tree } of views(labelIds)) {
    await viewFilter.createView({ name, icon, filtersJson: JSON.stringify(tree) }, call);
  }
  for (const filter of FILTERS) await viewFilter.createInboxFilter(filter, call);
  for (const rule of AI_RULES) await labelRule.createAiLabelRule({ ...rule, planIsPaid: true, maySend: true }, call);
}

function views(labelIds: ReadonlyMap<string, string>) {
  const label = (id: string, name: string) => ({
    id,
    label: 'label',
    type: 'contains',
    value: labelIds.get(name) ?? '',
  });
  return [
    {
      name: 'Unread from customers',
      icon: '💬',
      tree: {
        id: 'all',
        _and: [{ id: 'unread', label: 'read_status', type: 'is_false', value: '' }, label('who', 'Customers')],
      },
    },
    {
      name: 'Invoices with attachments',
      icon: '🧾',
      tree: {
        id: 'all',
        _and: [label('what', 'Invoices'), { id: 'file', label: 'has_attachments', type: 'is_true', value: '' }],
      },
    },
    {
      name: 'Starred or urgent',
      icon: '⭐',
      tree: {
        id: 'any',
        _or: [{ id: 'star', label: 'star_status', type: 'is_true', value: '' }, label('urgent', 'Urgent')],
      },
    },
  ];
}

function everyNth<T>(list: readonly T[], step: number): T[] {
  return list.filter((_, position) => position % step === 0);
}
