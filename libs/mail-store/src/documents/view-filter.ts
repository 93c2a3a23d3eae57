import type { InboxFilterType } from '@postroom/contract/lists';

/** A saved filter tree. */
export interface ViewDocument {
  _id: string;
  workspaceId: string;
  name: string;
  icon: string | null;
  /** The filter tree as JSON text: its keys are the caller's and must never become operators. */
  filters: string;
  mailboxIds: string[];
  createdAt: Date;
}

/** Keeps matching emails out of the main inbox. */
export interface InboxFilterDocument {
  _id: string;
  workspaceId: string;
  type: InboxFilterType;
  value: string;
  /** The value folded as this type compares it: unique with the type. */
  valueKey: string;
  createdAt: Date;
  updatedAt: Date;
}
