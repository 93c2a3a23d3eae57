import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorCode } from '@postroom/errors/catalogue';
import { safeLines } from '../mail/mail-text.ts';

/** An error of the API, as a tool shows it. */
interface ApiFailure {
  code: string;
  error: string;
  details?: unknown;
}

/** The next step of a program after an error. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'Correct the arguments that details names, and call again.',
  REQUEST_ERROR: 'Correct the arguments, and call again.',
  PAYLOAD_TOO_LARGE: 'Send a shorter text.',
  INVALID_SENDER_ALIAS: 'Leave `from` out, or take a verified alias that list_mailboxes shows.',
  MAILBOX_INACTIVE: 'Tell the user that the mailbox has to be connected again in the app; a repeat does not help.',
  NO_TRASH_FOLDER: 'Tell the user that the mailbox has no trash folder; a repeat does not help.',
  INVALID_TAG: 'Take a label that a person made: isAiLabel is false.',
  PLAN_REQUIRED: 'Tell the user that this needs a subscription.',
  INSUFFICIENT_SCOPE: 'Tell the user which scope is missing; they can connect again with it.',
  OUTBOUND_SEND_NOT_ALLOWED: 'Leave the email among the drafts, and tell the user that a person has to send it.',
  EMAIL_NOT_FOUND: 'Take an id from list_emails or search_emails.',
  NOT_FOUND: 'Take an id from list_emails or search_emails.',
  DRAFT_NOT_FOUND: 'Take an id from list_drafts; the draft may have been sent or thrown away.',
  MAILBOX_NOT_FOUND: 'Take an id from list_mailboxes.',
  LABEL_NOT_FOUND: 'Take an id from list_labels.',
  VIEW_NOT_FOUND: 'Take an id from list_views.',
  QUERY_TIMEOUT: 'Ask for less, or call again in a moment.',
  CONFLICT: 'Wait a moment, and call again with the same arguments.',
  DUPLICATE_TAG_NAME: 'Take another name, or the label that list_labels shows.',
  CHANGES_EXPIRED: 'List the emails again, and go on from details.currentCursor.',
  RATE_LIMIT_EXCEEDED: 'Wait until details.resetAt, and call again.',
  QUOTA_EXCEEDED: 'Tell the user that the allowance of the plan is used up until details.resetAt.',
  INTERNAL_ERROR: 'Call again in a moment.',
};

/** The result twice, as the protocol asks for it: for programs, and as a text for models that read nothing else. */
export function toolResult(structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

export function errorResult({ code, error, details }: ApiFailure, requestId?: string): CallToolResult {
  const next = NEXT[code as ErrorCode] ?? 'Tell the user what is wrong.';
  const failure = { code, error, next, ...(details !== undefined && { details }), ...(requestId && { requestId }) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(safeLines(failure)) }] };
}
