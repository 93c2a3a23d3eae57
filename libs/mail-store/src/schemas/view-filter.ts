import type { InboxFilterDocument, ViewDocument } from '../documents/view-filter.ts';
import { nullable, required, schema } from './schema.ts';

export const viewSchema = schema<ViewDocument>({
  workspaceId: required(String),
  name: required(String),
  icon: nullable(String),
  filters: { ...required(String), default: '{}' },
  mailboxIds: [String],
  createdAt: required(Date),
});

export const inboxFilterSchema = schema<InboxFilterDocument>({
  workspaceId: required(String),
  type: required(String),
  value: required(String),
  valueKey: required(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});
