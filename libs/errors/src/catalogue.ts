/**
 * Every error code of the public contract, with the numbers both protocols give it and the sentence a caller reads.
 * Codes are stable; sentences may be reworded.
 */
export const apiCatalogue = {
  VALIDATION_FAILED: { http: 400, grpc: 'INVALID_ARGUMENT', sentence: 'The request is not valid; see details.' },
  INVALID_SENDER_ALIAS: {
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'The sender address is not a verified alias of this mailbox.',
  },
  MAILBOX_INACTIVE: {
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'The mailbox is disconnected; reconnect it in the app.',
  },
  NO_TRASH_FOLDER: { http: 400, grpc: 'FAILED_PRECONDITION', sentence: 'The mailbox has no trash folder.' },
  INVALID_TAG: {
    http: 400,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'This label belongs to an AI label rule; change it through its rule.',
  },
  REQUEST_ERROR: { http: 400, grpc: 'INVALID_ARGUMENT', sentence: 'The request could not be read.' },
  INVALID_API_KEY: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    sentence: 'The API key is missing or not valid; send `Authorization: Bearer <API key>`.',
  },
  API_KEY_REVOKED: { http: 401, grpc: 'UNAUTHENTICATED', sentence: 'The API key has been revoked; use another.' },
  API_KEY_EXPIRED: { http: 401, grpc: 'UNAUTHENTICATED', sentence: 'The API key has expired; use another.' },
  PLAN_REQUIRED: { http: 402, grpc: 'FAILED_PRECONDITION', sentence: 'This feature needs a subscription.' },
  INSUFFICIENT_SCOPE: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    sentence: 'The API key lacks the scope for this call; see details.',
  },
  OUTBOUND_SEND_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    sentence: 'The API key lacks the Send emails permission.',
  },
  WORKSPACE_SUSPENDED: { http: 403, grpc: 'PERMISSION_DENIED', sentence: 'The workspace is suspended.' },
  EMAIL_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such email.' },
  NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is nothing here.' },
  DRAFT_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such draft.' },
  MAILBOX_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such mailbox.' },
  LABEL_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such label.' },
  RULE_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such rule.' },
  VIEW_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such view.' },
  THREAD_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such thread.' },
  FILTER_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such filter.' },
  WEBHOOK_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such webhook.' },
  DELIVERY_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such delivery.' },
  QUERY_TIMEOUT: {
    http: 408,
    grpc: 'DEADLINE_EXCEEDED',
    sentence: 'The call took too long and was stopped; ask for less.',
  },
  CONFLICT: {
    http: 409,
    grpc: 'ABORTED',
    sentence: 'The call conflicts with an earlier one that used the same idempotency key or is still running.',
  },
  DUPLICATE_TAG_NAME: { http: 409, grpc: 'ALREADY_EXISTS', sentence: 'A label with this name exists already.' },
  DUPLICATE_RULE: { http: 409, grpc: 'ALREADY_EXISTS', sentence: 'An AI label with this name exists already.' },
  DUPLICATE_FILTER: { http: 409, grpc: 'ALREADY_EXISTS', sentence: 'The same filter exists already; see details.' },
  CHANGES_EXPIRED: {
    http: 410,
    grpc: 'OUT_OF_RANGE',
    sentence:
      'Changes behind this cursor are no longer kept; list the emails again and go on from details.currentCursor.',
  },
  PAYLOAD_TOO_LARGE: { http: 413, grpc: 'OUT_OF_RANGE', sentence: 'The request body is larger than 256 KB.' },
  RATE_LIMIT_EXCEEDED: {
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    sentence: 'Too many requests this minute; wait and try again.',
  },
  QUOTA_EXCEEDED: {
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    sentence: 'The monthly allowance of the plan is used up; wait for the next, or change the plan.',
  },
  INTERNAL_ERROR: { http: 500, grpc: 'INTERNAL', sentence: 'Something went wrong on our side; try again.' },
} as const;

/** Codes of the app, whose people sign in. The REST API answers none of them. */
const appCatalogue = {
  SIGN_IN_REFUSED: { http: 401, grpc: 'UNAUTHENTICATED', sentence: 'The email address or the password is wrong.' },
  SIGN_IN_REQUIRED: { http: 401, grpc: 'UNAUTHENTICATED', sentence: 'You are not signed in; sign in first.' },
  FOREIGN_ORIGIN: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    sentence: 'Only the pages of the app itself may ask this; open the app and try again.',
  },
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    sentence: 'Your role in this workspace does not allow this; ask an owner.',
  },
  PERSON_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such person.' },
  INVITATION_NOT_FOUND: { http: 404, grpc: 'NOT_FOUND', sentence: 'There is no such invitation.' },
  CONSENT_FAILED: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'The provider gave no access to the mailbox; nothing is connected. Start again.',
  },
  LAST_OWNER: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'A workspace keeps at least one owner; make somebody else an owner first.',
  },
  SIGN_IN_FIRST: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    sentence: 'There is an account with this address; sign in with it, then open the link again.',
  },
  LINK_NOT_VALID: {
    http: 410,
    grpc: 'NOT_FOUND',
    sentence: 'This link was used already or has expired; ask for a new one.',
  },
} as const;

export const catalogue = { ...apiCatalogue, ...appCatalogue } as const;

export type ErrorCode = keyof typeof catalogue;

export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(catalogue, text);
}
