import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.ts';

// The table of the public contract, as facts. A code that moves here breaks every client that knows it.
const contract: Record<number, string> = {
  400: 'VALIDATION_FAILED INVALID_SENDER_ALIAS MAILBOX_INACTIVE NO_TRASH_FOLDER INVALID_TAG REQUEST_ERROR',
  401: 'INVALID_API_KEY API_KEY_REVOKED API_KEY_EXPIRED',
  402: 'PLAN_REQUIRED',
  403: 'INSUFFICIENT_SCOPE OUTBOUND_SEND_NOT_ALLOWED WORKSPACE_SUSPENDED',
  404:
    'EMAIL_NOT_FOUND NOT_FOUND DRAFT_NOT_FOUND MAILBOX_NOT_FOUND LABEL_NOT_FOUND RULE_NOT_FOUND VIEW_NOT_FOUND ' +
    // The last three are of threads and webhooks, which are closed unless FEATURES opens them.
    'FILTER_NOT_FOUND THREAD_NOT_FOUND WEBHOOK_NOT_FOUND DELIVERY_NOT_FOUND',
  408: 'QUERY_TIMEOUT',
  409: 'CONFLICT DUPLICATE_TAG_NAME DUPLICATE_RULE DUPLICATE_FILTER',
  // Of the changes feed, which is closed unless FEATURES opens it.
  410: 'CHANGES_EXPIRED',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMIT_EXCEEDED QUOTA_EXCEEDED',
  500: 'INTERNAL_ERROR',
};

/** Of the app, whose people sign in. */
const app: Record<number, string> = {
  401: 'SIGN_IN_REFUSED SIGN_IN_REQUIRED',
  403: 'ROLE_NOT_ALLOWED FOREIGN_ORIGIN',
  404: 'PERSON_NOT_FOUND INVITATION_NOT_FOUND',
  409: 'LAST_OWNER SIGN_IN_FIRST CONSENT_FAILED',
  410: 'LINK_NOT_VALID',
};

describe('the catalogue', () => {
  it('has the codes of the contract and of the app with their HTTP statuses, and no other', () => {
    const expected = [contract, app]
      .flatMap((table) => Object.entries(table))
      .flatMap(([http, codes]) => codes.split(' ').map((code) => [code, +http]));
    const actual = Object.entries(catalogue).map(([code, { http }]) => [code, http]);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  });

  it.each(Object.entries(catalogue))('%s has a gRPC status and a sentence', (_code, entry) => {
    expect(status[entry.grpc]).toBeGreaterThan(status.OK);
    expect(entry.sentence).toMatch(/^[A-Z].*\.$/);
  });

  it('tells a peer to retry nothing by its status: UNAVAILABLE is left to the transport', () => {
    expect(Object.values(catalogue).map(({ grpc }) => grpc as string)).not.toContain('UNAVAILABLE');
  });
});
