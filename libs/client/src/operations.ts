// Written by generate.mjs from docs/openapi.json.

export type ErrorCode =
  | 'VALIDATION_FAILED'
  | 'INVALID_SENDER_ALIAS'
  | 'MAILBOX_INACTIVE'
  | 'NO_TRASH_FOLDER'
  | 'INVALID_TAG'
  | 'REQUEST_ERROR'
  | 'INVALID_API_KEY'
  | 'API_KEY_REVOKED'
  | 'API_KEY_EXPIRED'
  | 'PLAN_REQUIRED'
  | 'INSUFFICIENT_SCOPE'
  | 'OUTBOUND_SEND_NOT_ALLOWED'
  | 'WORKSPACE_SUSPENDED'
  | 'EMAIL_NOT_FOUND'
  | 'NOT_FOUND'
  | 'DRAFT_NOT_FOUND'
  | 'MAILBOX_NOT_FOUND'
  | 'LABEL_NOT_FOUND'
  | 'RULE_NOT_FOUND'
  | 'VIEW_NOT_FOUND'
  | 'FILTER_NOT_FOUND'
  | 'QUERY_TIMEOUT'
  | 'CONFLICT'
  | 'DUPLICATE_TAG_NAME'
  | 'DUPLICATE_RULE'
  | 'DUPLICATE_FILTER'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'QUOTA_EXCEEDED'
  | 'INTERNAL_ERROR';

export type CreateLabelRequest = {
  name: string;
  color: string;
};

export type UpdateLabelRequest = {
  name?: string;
  color?: string;
};

export type CreateAiLabelRuleRequest = {
  name: string;
  color: string;
  condition: string;
  autoDraftEnabled?: boolean;
  autoReplyEnabled?: boolean;
  autoReplyConfidenceThreshold?: number;
  autoReplyDelayMinutes?: number;
  autoReplyNotifyOnSend?: boolean;
  hideFromInbox?: boolean;
};

export type UpdateAiLabelRuleRequest = {
  name?: string;
  color?: string;
  condition?: string;
  autoDraftEnabled?: boolean;
  autoReplyEnabled?: boolean;
  autoReplyConfidenceThreshold?: number;
  autoReplyDelayMinutes?: number;
  autoReplyNotifyOnSend?: boolean;
  hideFromInbox?: boolean;
};

export type BackfillAiLabelsRequest = {
  /** How many of the newest of each mailbox; 200 unless said. */
  limit?: number;
  /** Every active mailbox unless said. */
  mailboxId?: string;
};

export type CreateAutoForwardRuleRequest = {
  conditionField?: 'label' | 'sender_contains' | 'sender_equals' | 'subject_contains' | 'subject_equals';
  conditionValue: string;
  forwardTo: string;
  /** `normal` quotes the email under a `Fwd:` subject; `invisible` passes its content on, with `Reply-To`. */
  mode?: 'normal' | 'invisible';
  isActive?: boolean;
};

export type UpdateAutoForwardRuleRequest = {
  conditionField?: 'label' | 'sender_contains' | 'sender_equals' | 'subject_contains' | 'subject_equals';
  conditionValue?: string;
  forwardTo?: string;
  /** `normal` quotes the email under a `Fwd:` subject; `invisible` passes its content on, with `Reply-To`. */
  mode?: 'normal' | 'invisible';
  isActive?: boolean;
};

export type BulkRequest =
  | {
      action: 'markRead';
      emailIds: string[];
      isRead: boolean;
    }
  | {
      action: 'delete';
      emailIds: string[];
    }
  | {
      action: 'applyLabel';
      emailIds: string[];
      labelId: string;
    }
  | {
      action: 'removeLabel';
      emailIds: string[];
      labelId: string;
    };

export type ComposeRequest = {
  mailboxId: string;
  to: {
    email: string;
    name?: string | null;
  }[];
  cc?: {
    email: string;
    name?: string | null;
  }[];
  bcc?: {
    email: string;
    name?: string | null;
  }[];
  subject?: string;
  body: {
    html?: string | null;
    text?: string | null;
  };
  /** The Message-ID of the email that is answered. */
  inReplyTo?: string | null;
  references?: string[];
  /** An alias of the mailbox; its own address without one. */
  from?: string | null;
  /** The id of a signature; null for none; absent for the default. */
  signature?: string | null;
};

export type UpdateEmailRequest = {
  isRead?: boolean;
  isStarred?: boolean;
};

export type CreateFilterRequest = {
  type: 'sender' | 'domain' | 'subject' | 'label';
  /** An address, a domain, text of a subject, or a label id. */
  value: string;
};

export type UpdateFilterRequest = {
  type?: 'sender' | 'domain' | 'subject' | 'label';
  /** An address, a domain, text of a subject, or a label id. */
  value?: string;
};

export type CreateViewRequest = {
  name: string;
  /** A group of nodes, or a condition; `{}` means no filter. At most 5 levels, 50 conditions, 500 characters a value and 8192 bytes as JSON. */
  filters?: FilterNode | EmptyFilter;
  /** An emoji. */
  icon?: string | null;
};

export type UpdateViewRequest = {
  name?: string;
  /** An emoji. */
  icon?: string | null;
  /** A group of nodes, or a condition; `{}` means no filter. At most 5 levels, 50 conditions, 500 characters a value and 8192 bytes as JSON. */
  filters?: FilterNode | EmptyFilter;
};

export type LabelRef = {
  id: string;
  /** Unique among all labels of the workspace, ignoring case. */
  name: string;
  /** Pink, Blue, Red, Yellow, Green, Purple and Orange are shown; any other value is kept, without color. */
  color: string;
  isAiLabel: boolean;
};

export type Label = {
  id: string;
  /** Unique among all labels of the workspace, ignoring case. */
  name: string;
  /** Pink, Blue, Red, Yellow, Green, Purple and Orange are shown; any other value is kept, without color. */
  color: string;
  isAiLabel: boolean;
  createdAt: string;
};

export type LabelReply = {
  label: Label;
};

export type LabelListReply = {
  items: Label[];
};

export type AiLabelRule = {
  id: string;
  label: LabelRef;
  /** In plain language, asked of every incoming email. */
  condition: string;
  autoDraftEnabled: boolean;
  /** Replies are sent on behalf of the mailbox. */
  autoReplyEnabled: boolean;
  /** Below it a reply stays among the drafts. */
  autoReplyConfidenceThreshold: number;
  /** How long a reply waits, and can be cancelled. */
  autoReplyDelayMinutes: number;
  /** Kept, without effect. */
  autoReplyNotifyOnSend: boolean;
  /** Keeps emails with this label out of the plain INBOX listing. */
  hideFromInbox: boolean;
  createdAt: string;
  updatedAt: string;
};

export type AiLabelRuleReply = {
  rule: AiLabelRule;
};

export type AiLabelRuleListReply = {
  items: AiLabelRule[];
};

export type BackfillAccepted = {
  /** One for each mailbox. */
  jobs: number;
  mailboxIds: string[];
};

export type AutoForwardRule = {
  id: string;
  conditionField: 'label' | 'sender_contains' | 'sender_equals' | 'subject_contains' | 'subject_equals';
  /** The name of an AI label, or text that is compared without case. */
  conditionValue: string;
  forwardTo: string;
  /** `normal` quotes the email under a `Fwd:` subject; `invisible` passes its content on, with `Reply-To`. */
  mode: 'normal' | 'invisible';
  /** A rule that is not active is kept, and forwards nothing. */
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
};

export type AutoForwardRuleReply = {
  rule: AutoForwardRule;
};

export type AutoForwardRuleListReply = {
  items: AutoForwardRule[];
};

export type AutoForwardLog = {
  id: string;
  ruleId: string;
  emailId: string;
  forwardTo: string;
  mode: 'normal' | 'invisible';
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason: string | null;
  attempts: number;
  createdAt: string;
};

export type AutoForwardLogReply = {
  items: AutoForwardLog[];
};

export type BulkMarkReadResult = {
  updatedIds: string[];
  unchangedIds: string[];
  skippedIds: string[];
  isRead: boolean;
};

export type BulkDeleteResult = {
  deletedIds: string[];
  skippedIds: string[];
  noTrashIds: string[];
};

export type BulkLabelResult = {
  labelId: string;
  emailIds: string[];
  skippedIds: string[];
  updatedCount: number;
};

export type BulkReply = BulkMarkReadResult | BulkDeleteResult | BulkLabelResult;

export type EmailAddress = {
  email: string;
  name: string | null;
};

export type Attachment = {
  filename: string;
  size: number;
  mimeType: string;
};

export type EmailListItem = {
  id: string;
  mailboxId: string;
  folderId: string;
  threadId: string | null;
  /** The Message-ID header: what an answer in the thread refers to. */
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: EmailAddress;
  to: EmailAddress[];
  cc: EmailAddress[];
  subject: string;
  snippet: string;
  date: string;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  hasAttachments: boolean;
  attachments: Attachment[];
  tags: LabelRef[];
  /** On a sent email: an answer is still expected, by estimate. */
  waitingForReply: boolean;
};

export type Email = {
  id: string;
  mailboxId: string;
  folderId: string;
  threadId: string | null;
  /** The Message-ID header: what an answer in the thread refers to. */
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: EmailAddress;
  to: EmailAddress[];
  cc: EmailAddress[];
  subject: string;
  snippet: string;
  date: string;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  hasAttachments: boolean;
  attachments: Attachment[];
  bcc: EmailAddress[];
  /** On a sent email: an answer is still expected, by estimate. */
  waitingForReply: boolean;
  isAutoForward: boolean;
  isAutoReply: boolean;
  /** The provider's labels, such as INBOX; not the workspace's. */
  labels: string[];
  scheduledSendAt: string | null;
  scheduledStatus: 'pending' | 'sending' | 'sent' | 'canceled' | 'failed' | null;
};

export type EmailPage = {
  /** May be fewer than asked for while `hasMore` is true. */
  items: EmailListItem[];
  nextCursor: string | null;
  hasMore: boolean;
};

export type EmailReply = {
  email: Email;
};

export type EmailLabelsReply = {
  labels: LabelRef[];
};

export type EmailBody = {
  /** Sanitised. */
  html: string | null;
  text: string | null;
};

export type EmailBodyReply = {
  emailId: string;
  threadId: string | null;
  body: EmailBody;
  /** Oldest first, this email included; the newest 200 at most. */
  thread: Email[];
};

export type Draft = {
  id: string;
  mailboxId: string;
  folderId: string;
  threadId: string | null;
  /** The Message-ID header: what an answer in the thread refers to. */
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: EmailAddress;
  to: EmailAddress[];
  cc: EmailAddress[];
  subject: string;
  snippet: string;
  date: string;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  hasAttachments: boolean;
  attachments: Attachment[];
  bcc: EmailAddress[];
  /** On a sent email: an answer is still expected, by estimate. */
  waitingForReply: boolean;
  isAutoForward: boolean;
  isAutoReply: boolean;
  /** The provider's labels, such as INBOX; not the workspace's. */
  labels: string[];
  scheduledSendAt: string | null;
  scheduledStatus: 'pending' | 'sending' | 'sent' | 'canceled' | 'failed' | null;
  body: EmailBody;
  /** The id of the signature in force. */
  signature: string | null;
  source: 'api' | 'auto_draft';
  ruleId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type DraftReply = {
  draft: Draft;
};

export type DraftListReply = {
  items: Draft[];
};

export type InboxFilter = {
  id: string;
  type: 'sender' | 'domain' | 'subject' | 'label';
  value: string;
  /** The targeted label when `type` is `label`. */
  label: LabelRef | null;
  createdAt: string;
  updatedAt: string;
};

export type FilterReply = {
  filter: InboxFilter;
};

export type FilterListReply = {
  items: InboxFilter[];
};

export type Mailbox = {
  id: string;
  email: string;
  name: string | null;
  provider: string;
  status: 'active' | 'disconnected';
  aliases: {
    email: string;
    name: string | null;
    verified: boolean;
  }[];
  folders: {
    id: string;
    name: string;
    type: 'INBOX' | 'SENT' | 'DRAFTS' | 'SPAM' | 'TRASH' | null;
  }[];
  lastSyncedAt: string | null;
  createdAt: string;
};

export type MailboxListReply = {
  items: Mailbox[];
};

export type Signature = {
  id: string;
  name: string;
  isDefault: boolean;
  position: number;
  aliasEmail: string | null;
  mailboxId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SignatureListReply = {
  items: Signature[];
};

export type View = {
  id: string;
  name: string;
  icon: string | null;
  /** A group of nodes, or a condition; `{}` means no filter. At most 5 levels, 50 conditions, 500 characters a value and 8192 bytes as JSON. */
  filters: FilterNode | EmptyFilter;
  /** Empty means all mailboxes. */
  mailboxIds: string[];
  createdAt: string;
};

export type ViewReply = {
  view: View;
};

export type ViewListReply = {
  items: View[];
};

export type AndGroup = {
  id: string;
  _and: FilterNode[];
};

export type OrGroup = {
  id: string;
  _or: FilterNode[];
};

export type TextCondition = {
  id: string;
  label: 'from' | 'to' | 'cc' | 'subject' | 'body' | 'any_text';
  type: 'contains' | 'not_contains' | 'equals' | 'not_equals' | 'starts_with' | 'ends_with';
  /** Text, ignoring case. */
  value: string;
};

export type DomainCondition = {
  id: string;
  label: 'sender_domain';
  type: 'equals' | 'not_equals';
  /** A domain; a leading @ is dropped. */
  value: string;
};

export type LabelCondition = {
  id: string;
  label: 'ai_label' | 'label';
  type: 'contains' | 'not_contains';
  /** The id of a label. */
  value: string;
};

export type LabelPresenceCondition = {
  id: string;
  label: 'ai_label' | 'label';
  type: 'is_empty' | 'is_not_empty';
  /** The operator says it all. */
  value: '';
};

export type FlagCondition = {
  id: string;
  label: 'read_status' | 'star_status' | 'has_attachments' | 'waiting_for_reply' | 'is_auto_reply' | 'is_auto_forward';
  type: 'is_true' | 'is_false';
  /** The operator says it all. */
  value: '';
};

export type DateCondition = {
  id: string;
  label: 'date';
  type: 'before' | 'after' | 'on';
  /** An ISO 8601 date or date-time. */
  value: string | string | string;
};

export type AgeCondition = {
  id: string;
  label: 'date';
  type: 'in_last_days';
  /** 1 to 3650. */
  value: string;
};

export type FolderCondition = {
  id: string;
  label: 'folder';
  type: 'equals' | 'not_equals';
  value: 'INBOX' | 'SENT' | 'DRAFTS' | 'SPAM' | 'TRASH';
};

export type FilterNode =
  | AndGroup
  | OrGroup
  | TextCondition
  | DomainCondition
  | LabelCondition
  | LabelPresenceCondition
  | FlagCondition
  | DateCondition
  | AgeCondition
  | FolderCondition;

export type EmptyFilter = Record<string, never>;

export interface Operations {
  /** This description. */
  getOpenApi: { params: {}; body: never; reply: Record<string, unknown> };
  /** A page of emails, most recent first. */
  listEmails: {
    params: {
      mailboxId?: string;
      /** All folders where absent. */
      folderType?: 'INBOX' | 'SENT' | 'DRAFTS' | 'SPAM' | 'TRASH';
      /** Applies a saved view. */
      viewId?: string;
      /** The INBOX emails that inbox filters and hiding AI labels keep out of the plain listing. */
      filtered?: 'only';
      /** A filter tree as JSON: 5 levels, 50 conditions, 500 characters a value, 8192 bytes at most. */
      filters?: string;
      /** Words that must all occur; those of one character are ignored. */
      search?: string;
      /** The `nextCursor` of the page before; opaque. */
      cursor?: string;
      /** 1 to 200. 50 where absent or not to be read so; more than 200 is read as 200. */
      limit?: number;
    };
    body: never;
    reply: EmailPage;
  };
  /** A page of emails that match a search, the most relevant first. */
  searchEmails: {
    params: {
      q: string;
      mailboxId?: string;
      folderType?: 'INBOX' | 'SENT' | 'DRAFTS' | 'SPAM' | 'TRASH';
      /** The `nextCursor` of the page before; opaque. */
      cursor?: string;
      /** 1 to 200. 50 where absent or not to be read so; more than 200 is read as 200. */
      limit?: number;
    };
    body: never;
    reply: EmailPage;
  };
  /** One email, without its body. */
  getEmail: {
    params: {
      emailId: string;
    };
    body: never;
    reply: EmailReply;
  };
  /** Mark an email read or starred, or take that back. */
  updateEmail: {
    params: {
      emailId: string;
    };
    body: UpdateEmailRequest;
    reply: EmailReply;
  };
  /** Move an email to the trash. */
  deleteEmail: {
    params: {
      emailId: string;
    };
    body: never;
    reply: undefined;
  };
  /** The body of an email and its thread. */
  getEmailBody: {
    params: {
      emailId: string;
    };
    body: never;
    reply: EmailBodyReply;
  };
  /** Change up to 500 emails at once. */
  bulkEmails: { params: {}; body: BulkRequest; reply: BulkReply };
  /** Put a label on an email. */
  applyLabel: {
    params: {
      emailId: string;
      labelId: string;
    };
    body: never;
    reply: EmailLabelsReply;
  };
  /** Take a label off an email. */
  removeLabel: {
    params: {
      emailId: string;
      labelId: string;
    };
    body: never;
    reply: EmailLabelsReply;
  };
  /** All labels of the workspace. */
  listLabels: { params: {}; body: never; reply: LabelListReply };
  /** Create a manual label. */
  createLabel: { params: {}; body: CreateLabelRequest; reply: LabelReply };
  /** One label. */
  getLabel: {
    params: {
      labelId: string;
    };
    body: never;
    reply: LabelReply;
  };
  /** Rename or recolor a manual label. */
  updateLabel: {
    params: {
      labelId: string;
    };
    body: UpdateLabelRequest;
    reply: LabelReply;
  };
  /** Delete a manual label. */
  deleteLabel: {
    params: {
      labelId: string;
    };
    body: never;
    reply: undefined;
  };
  /** The most recent drafts. */
  listDrafts: {
    params: {
      /** 1 to 200. 50 where absent or not to be read so; more than 200 is read as 200. */
      limit?: number;
    };
    body: never;
    reply: DraftListReply;
  };
  /** Prepare a draft. */
  createDraft: { params: {}; body: ComposeRequest; reply: DraftReply };
  /** One draft. */
  getDraft: {
    params: {
      draftId: string;
    };
    body: never;
    reply: DraftReply;
  };
  /** Send an email now. */
  sendEmail: { params: {}; body: ComposeRequest; reply: EmailReply };
  /** The connected mailboxes. */
  listMailboxes: { params: {}; body: never; reply: MailboxListReply };
  /** The signatures that a draft or a send may name. */
  listSignatures: { params: {}; body: never; reply: SignatureListReply };
  /** All saved views. */
  listViews: { params: {}; body: never; reply: ViewListReply };
  /** Save a view. */
  createView: { params: {}; body: CreateViewRequest; reply: ViewReply };
  /** One view. */
  getView: {
    params: {
      viewId: string;
    };
    body: never;
    reply: ViewReply;
  };
  /** Change a view. */
  updateView: {
    params: {
      viewId: string;
    };
    body: UpdateViewRequest;
    reply: ViewReply;
  };
  /** Delete a view. */
  deleteView: {
    params: {
      viewId: string;
    };
    body: never;
    reply: undefined;
  };
  /** All inbox filters. */
  listFilters: { params: {}; body: never; reply: FilterListReply };
  /** Hide matching emails from the main inbox. */
  createFilter: { params: {}; body: CreateFilterRequest; reply: FilterReply };
  /** One inbox filter. */
  getFilter: {
    params: {
      filterId: string;
    };
    body: never;
    reply: FilterReply;
  };
  /** Change an inbox filter. */
  updateFilter: {
    params: {
      filterId: string;
    };
    body: UpdateFilterRequest;
    reply: FilterReply;
  };
  /** Delete an inbox filter. */
  deleteFilter: {
    params: {
      filterId: string;
    };
    body: never;
    reply: undefined;
  };
  /** All AI label rules. */
  listAiLabelRules: { params: {}; body: never; reply: AiLabelRuleListReply };
  /** Create an AI label with its rule. */
  createAiLabelRule: { params: {}; body: CreateAiLabelRuleRequest; reply: AiLabelRuleReply };
  /** One AI label rule. */
  getAiLabelRule: {
    params: {
      ruleId: string;
    };
    body: never;
    reply: AiLabelRuleReply;
  };
  /** Change an AI label rule or its label. */
  updateAiLabelRule: {
    params: {
      ruleId: string;
    };
    body: UpdateAiLabelRuleRequest;
    reply: AiLabelRuleReply;
  };
  /** Delete an AI label rule and its label. */
  deleteAiLabelRule: {
    params: {
      ruleId: string;
    };
    body: never;
    reply: undefined;
  };
  /** Classify emails that were there before the rules. */
  backfillAiLabels: { params: {}; body: BackfillAiLabelsRequest | undefined; reply: BackfillAccepted };
  /** All auto-forward rules. */
  listAutoForwardRules: { params: {}; body: never; reply: AutoForwardRuleListReply };
  /** Create an auto-forward rule. */
  createAutoForwardRule: { params: {}; body: CreateAutoForwardRuleRequest; reply: AutoForwardRuleReply };
  /** One auto-forward rule. */
  getAutoForwardRule: {
    params: {
      ruleId: string;
    };
    body: never;
    reply: AutoForwardRuleReply;
  };
  /** Change an auto-forward rule. */
  updateAutoForwardRule: {
    params: {
      ruleId: string;
    };
    body: UpdateAutoForwardRuleRequest;
    reply: AutoForwardRuleReply;
  };
  /** Delete an auto-forward rule. */
  deleteAutoForwardRule: {
    params: {
      ruleId: string;
    };
    body: never;
    reply: undefined;
  };
  /** What became of the emails that a rule applied to. */
  listAutoForwardLogs: {
    params: {
      ruleId: string;
      /** 1 to 200. 50 where absent or not to be read so; more than 200 is read as 200. */
      limit?: number;
    };
    body: never;
    reply: AutoForwardLogReply;
  };
}

export interface Operation {
  method: string;
  path: string;
  query: readonly string[];
  hasBody: boolean;
}

export const operations: Record<keyof Operations, Operation> = {
  getOpenApi: { method: 'GET', path: '/openapi.json', query: [], hasBody: false },
  listEmails: {
    method: 'GET',
    path: '/emails',
    query: ['mailboxId', 'folderType', 'viewId', 'filtered', 'filters', 'search', 'cursor', 'limit'],
    hasBody: false,
  },
  searchEmails: {
    method: 'GET',
    path: '/emails/search',
    query: ['q', 'mailboxId', 'folderType', 'cursor', 'limit'],
    hasBody: false,
  },
  getEmail: { method: 'GET', path: '/emails/{emailId}', query: [], hasBody: false },
  updateEmail: { method: 'PATCH', path: '/emails/{emailId}', query: [], hasBody: true },
  deleteEmail: { method: 'DELETE', path: '/emails/{emailId}', query: [], hasBody: false },
  getEmailBody: { method: 'GET', path: '/emails/{emailId}/body', query: [], hasBody: false },
  bulkEmails: { method: 'POST', path: '/emails/bulk', query: [], hasBody: true },
  applyLabel: { method: 'POST', path: '/emails/{emailId}/labels/{labelId}', query: [], hasBody: false },
  removeLabel: { method: 'DELETE', path: '/emails/{emailId}/labels/{labelId}', query: [], hasBody: false },
  listLabels: { method: 'GET', path: '/labels', query: [], hasBody: false },
  createLabel: { method: 'POST', path: '/labels', query: [], hasBody: true },
  getLabel: { method: 'GET', path: '/labels/{labelId}', query: [], hasBody: false },
  updateLabel: { method: 'PATCH', path: '/labels/{labelId}', query: [], hasBody: true },
  deleteLabel: { method: 'DELETE', path: '/labels/{labelId}', query: [], hasBody: false },
  listDrafts: { method: 'GET', path: '/drafts', query: ['limit'], hasBody: false },
  createDraft: { method: 'POST', path: '/drafts', query: [], hasBody: true },
  getDraft: { method: 'GET', path: '/drafts/{draftId}', query: [], hasBody: false },
  sendEmail: { method: 'POST', path: '/drafts/send', query: [], hasBody: true },
  listMailboxes: { method: 'GET', path: '/mailboxes', query: [], hasBody: false },
  listSignatures: { method: 'GET', path: '/signatures', query: [], hasBody: false },
  listViews: { method: 'GET', path: '/views', query: [], hasBody: false },
  createView: { method: 'POST', path: '/views', query: [], hasBody: true },
  getView: { method: 'GET', path: '/views/{viewId}', query: [], hasBody: false },
  updateView: { method: 'PATCH', path: '/views/{viewId}', query: [], hasBody: true },
  deleteView: { method: 'DELETE', path: '/views/{viewId}', query: [], hasBody: false },
  listFilters: { method: 'GET', path: '/filters', query: [], hasBody: false },
  createFilter: { method: 'POST', path: '/filters', query: [], hasBody: true },
  getFilter: { method: 'GET', path: '/filters/{filterId}', query: [], hasBody: false },
  updateFilter: { method: 'PATCH', path: '/filters/{filterId}', query: [], hasBody: true },
  deleteFilter: { method: 'DELETE', path: '/filters/{filterId}', query: [], hasBody: false },
  listAiLabelRules: { method: 'GET', path: '/ai-label-rules', query: [], hasBody: false },
  createAiLabelRule: { method: 'POST', path: '/ai-label-rules', query: [], hasBody: true },
  getAiLabelRule: { method: 'GET', path: '/ai-label-rules/{ruleId}', query: [], hasBody: false },
  updateAiLabelRule: { method: 'PATCH', path: '/ai-label-rules/{ruleId}', query: [], hasBody: true },
  deleteAiLabelRule: { method: 'DELETE', path: '/ai-label-rules/{ruleId}', query: [], hasBody: false },
  backfillAiLabels: { method: 'POST', path: '/ai-label-rules/backfill', query: [], hasBody: true },
  listAutoForwardRules: { method: 'GET', path: '/auto-forward-rules', query: [], hasBody: false },
  createAutoForwardRule: { method: 'POST', path: '/auto-forward-rules', query: [], hasBody: true },
  getAutoForwardRule: { method: 'GET', path: '/auto-forward-rules/{ruleId}', query: [], hasBody: false },
  updateAutoForwardRule: { method: 'PATCH', path: '/auto-forward-rules/{ruleId}', query: [], hasBody: true },
  deleteAutoForwardRule: { method: 'DELETE', path: '/auto-forward-rules/{ruleId}', query: [], hasBody: false },
  listAutoForwardLogs: { method: 'GET', path: '/auto-forward-rules/{ruleId}/logs', query: ['limit'], hasBody: false },
};
