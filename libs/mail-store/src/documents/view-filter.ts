import type { InboxFilterType } from '@postroom/contract/lists';
import { type TypeOf, nullable, required, schema, typed, withDefault } from '../schemas/schema.ts';

/** A saved filter tree. */
export interface ViewDocument extends TypeOf<typeof viewSchema> {}
export const viewSchema = schema({
  workspaceId: required(String),
  name: required(String),
  icon: nullable(String),
  /** The filter tree as JSON text: its keys are the caller's and must never become operators. */
  filters: withDefault(String, '{}'),
  mailboxIds: [String],
  createdAt: required(Date),
});

/** Keeps matching emails out of the main inbox. */
export interface InboxFilterDocument extends TypeOf<typeof inboxFilterSchema> {}
export const inboxFilterSchema = schema({
  workspaceId: required(String),
  type: required(typed<InboxFilterType>(String)),
  value: required(String),
  /** The value folded as this type compares it: unique with the type. */
  valueKey: required(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});
