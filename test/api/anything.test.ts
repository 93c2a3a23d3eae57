import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { catalogue, type ErrorCode } from '@postroom/errors/catalogue';
import fc from 'fast-check';
import { z } from 'zod';
import { codesOf } from '../../services/gateway/src/openapi/describe-errors.ts';
import type { Route } from '../../services/gateway/src/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let stack: TestStack;
let home: TestWorkspace;
const known: Record<string, string> = {};

beforeAll(async () => {
  stack = await startStack();
  home = await stack.workspace();
  const mailbox = await home.connectMailbox();
  const [emailId = '', draftId = ''] = await home.ingest(mailbox.id, [{ subject: 'Hello' }, { folderType: 'DRAFTS' }]);
  const { body } = await home.write.post('/labels', { name: 'Known', color: 'Red' });
  Object.assign(known, { emailId, draftId, labelId: body.label.id, mailboxId: mailbox.id });
});
afterAll(() => stack.close());

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '$gt',
    '$where',
    '\0',
    '\ud800',
    '\ufeff',
    '\u0301',
    '../..',
    '%',
    '.*',
    '{}',
    '[]',
    'İ',
    'ﬃ',
    '🎉'.repeat(60),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
);
const id = (name: string) =>
  fc.oneof({ arbitrary: fc.constant(null).map(() => known[name] ?? 'none'), weight: 2 }, odd);
const value = fc.oneof(
  odd,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom('INBOX', 'markRead', 'applyLabel', 'only', 'label', 'subject', 'contains', true, 200, 1e308, -0),
  fc.constantFrom(
    { $gt: '' },
    { id: 'a', _and: [] },
    { id: 'a', label: 'subject', type: 'contains', value: 'x' },
    { __proto__: null },
  ),
);
const FIELDS = ['name', 'filters', 'type', 'value', 'isRead', 'action', 'emailIds', 'labelId', '__proto__', '$set'];
const PARAMETERS = ['mailboxId', 'folderType', 'viewId', 'filtered', 'filters', 'search', 'cursor', 'limit', 'q', 'x'];
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());
/** A dot or two would be taken as a place in the path, by fetch already. */
const segment = (text: string) => (/^\.{0,2}$/.test(text) ? '_' : encode(text));
const pathOf = (template: string) =>
  fc
    .tuple(...[...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => id(name as string)))
    .map((ids) => ids.reduce<string>((path, each) => path.replace(/\{\w+\}/, () => segment(each)), template));
const query = fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), odd), { maxLength: 4 });
const anyBody = fc.oneof(fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 5 }), value);
/** Text in every field that the route asks for gets past its validation, which few other bodies do. */
const bodyFor = ({ body }: Route) => {
  const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
  if (fields.length === 0) return anyBody;
  return fc.oneof(anyBody, fc.record(Object.fromEntries(fields.map((field) => [field, odd]))));
};

const anyRequest = fc.constantFrom(...routes).chain((route) =>
  fc.record({
    route: fc.constant(route),
    path: pathOf(route.path),
    query,
    body: route.method === 'GET' ? fc.constant(undefined) : bodyFor(route),
    key: fc.option(odd, { nil: undefined }),
  }),
);

/** What fetch itself would not send is no test of ours. */
const headerOf = (key: string | undefined): Record<string, string> =>
  key !== undefined && /^[\x21-\x7e]+$/.test(key) ? { 'idempotency-key': key } : {};

describe('whatever is asked', () => {
  whenDatabaseHas('projections', 'expressions')(
    'is answered as the API description says: with the codes of the endpoint, all headers, and never a 500',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest, async ({ route, path, query: pairs, body: content, key }) => {
          const search = pairs.map(([name, text]) => `${name}=${encode(text)}`).join('&');
          const answer = await home.write.request(route.method, `${path}?${search}`, {
            body: content,
            headers: headerOf(key),
          });
          expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
          expect(answer.status).not.toBe(500);
          if (answer.status === route.reply.status) return;
          const { code } = answer.body as { code: ErrorCode };
          expect(codesOf(route)).toContain(code);
          expect(answer.status).toBe(catalogue[code].http);
        }),
        { numRuns: 200 },
      );
    },
    60_000,
  );
});
