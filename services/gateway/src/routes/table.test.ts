import { describe, expect, it } from '@jest/globals';
import { routes } from './table.ts';

const GOLDEN = `
GET    /emails                           read
GET    /emails/search                    read
GET    /emails/{emailId}                 read
GET    /emails/{emailId}/body            read
PATCH  /emails/{emailId}                 write
DELETE /emails/{emailId}                 write
POST   /emails/bulk                      write       idempotent
POST   /emails/{emailId}/labels/{labelId} write       idempotent
DELETE /emails/{emailId}/labels/{labelId} write
GET    /labels                           read
GET    /labels/{labelId}                 read
POST   /labels                           write       idempotent
PATCH  /labels/{labelId}                 write
DELETE /labels/{labelId}                 write
GET    /drafts                           read
GET    /drafts/{draftId}                 read
POST   /drafts                           write       idempotent
POST   /drafts/send                      write send  idempotent
GET    /mailboxes                        read
GET    /signatures                       read
GET    /views                            read
GET    /views/{viewId}                   read
POST   /views                            write       idempotent
PATCH  /views/{viewId}                   write
DELETE /views/{viewId}                   write
GET    /filters                          read
GET    /filters/{filterId}               read
POST   /filters                          write       idempotent
PATCH  /filters/{filterId}               write
DELETE /filters/{filterId}               write
GET    /ai-label-rules                   read
GET    /ai-label-rules/{ruleId}          read
POST   /ai-label-rules                   write       idempotent
POST   /ai-label-rules/backfill          write       idempotent
PATCH  /ai-label-rules/{ruleId}          write
DELETE /ai-label-rules/{ruleId}          write
GET    /auto-forward-rules               read
GET    /auto-forward-rules/{ruleId}      read
GET    /auto-forward-rules/{ruleId}/logs read
POST   /auto-forward-rules               write send  idempotent
PATCH  /auto-forward-rules/{ruleId}      write send
DELETE /auto-forward-rules/{ruleId}      write send
`;

describe('the table of routes', () => {
  it('is the one that was agreed: method, path, scope, permission, idempotent', () => {
    const lines = routes.map(({ method, path, scope, permission = '', idempotent }) =>
      `${method.padEnd(6)} ${path.padEnd(33)} ${scope.padEnd(5)} ${permission.padEnd(5)} ${idempotent ? 'idempotent' : ''}`.trimEnd(),
    );
    expect(lines).toEqual(GOLDEN.trim().split('\n'));
  });

  it('can replay every call that creates or changes by POST', () => {
    expect(routes.filter(({ method, idempotent }) => method === 'POST' && !idempotent)).toEqual([]);
  });

  it('has no path twice and no operation id twice', () => {
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });
});
