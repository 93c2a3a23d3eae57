import { beforeAll, describe, expect } from '@jest/globals';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { draftRows } from './bad-input/drafts.ts';
import { emailRows } from './bad-input/emails.ts';
import { labelRows } from './bad-input/labels.ts';
import { queryRows } from './bad-input/queries.ts';
import { INVALID, type Row } from './bad-input/row.ts';
import { aiRuleRows, forwardRuleRows } from './bad-input/rules.ts';
import { filterRows, viewRows } from './bad-input/views-and-filters.ts';
import { wireRows } from './bad-input/wire.ts';
import { populated, storedOf } from './populated.ts';
import { rawConnection, rawHttp } from './raw-http.ts';

const stack = useStack();
let home: TestWorkspace;
let ids: Record<string, string>;
const groups: [string, Row[]][] = [
  ['emails', emailRows],
  ['queries', queryRows],
  ['labels', labelRows],
  ['drafts', draftRows],
  ['views', viewRows],
  ['inbox filters', filterRows],
  ['AI label rules', aiRuleRows],
  ['auto-forward rules', forwardRuleRows],
];

beforeAll(async () => {
  const mine = await populated(stack, 'mine');
  home = mine.workspace;
  const inactive = await home.connectMailbox();
  await stack.workspaces.disconnectMailbox({ mailboxId: inactive.id }, {});
  const trashless = await home.connectMailbox({ withoutTrash: true });
  const [trashlessId = ''] = await home.ingest(trashless.id, [{}]);
  const aiLabelId = (await home.read.get(`/ai-label-rules/${mine.ids.aiRuleId}`)).body.rule.label.id;
  ids = { ...mine.ids, inactiveMailboxId: inactive.id, trashlessId, aiLabelId };
});

const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
const titleOf = ([call, body, answer]: Row) => {
  const shown = [call, JSON.stringify(body)].filter(Boolean).join(' ');
  return `${answer} for ${shown.length > 150 ? `${shown.slice(0, 150)}... (${shown.length})` : shown}`;
};
const it = whenDatabaseHas('projections', 'expressions');

describe.each(groups)('bad input: %s', (_group, rows) => {
  it.each(rows.map((row) => [titleOf(row), row] as const))('%s', async (_title, [call, body, expected, field]) => {
    const [method = '', path = ''] = filled(call).split(' ');
    const raw = body === undefined ? undefined : filled(JSON.stringify(body));
    const answer = await home.send.request(method, path, { raw });
    expect(`${answer.status} ${answer.body?.code}`).toBe(expected);
    if (field) expect(Object.keys(answer.body.details)).toContain(field);
    // Each message reads on from the name of its field, and in nobody else's words.
    const messages = expected === INVALID ? Object.values<string[]>(answer.body.details).flat() : [];
    for (const message of messages) expect(message).toMatch(/^(is|must|works|at least|needs|names|cannot)\b/);
  });
});

describe('bad input: on the wire', () => {
  it.each(wireRows.map((row) => [`${row.answer} for ${row.what}`, row] as const))(
    '%s',
    async (_title, { head, more, afterMs, answer: expected }) => {
      const lines = head.map((line) => line.replaceAll('{key}', home.keys.write));
      const { status, headers, body } = await rawHttp(stack.baseUrl, lines, more, afterMs);
      expect(`${status} ${typeof body === 'string' ? body : body.code}`).toBe(expected);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': expect.stringMatching(/^req_/),
      });
    },
  );
});

describe('bad input: a request hidden in another', () => {
  const HIDDEN = 'GET /api/v1/mailboxes HTTP/1.1\r\nHost: x\r\n\r\n';
  it.each([
    ['behind both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
    ['behind an encoding spelt oddly', ['Transfer-Encoding:\x0bchunked', 'Content-Length: 0'], `0\r\n\r\n${HIDDEN}`],
    ['behind a chunk that ends with half a line', ['Transfer-Encoding: chunked'], `0\n\n${HIDDEN}`],
    ['in the extension of a chunk', ['Transfer-Encoding: chunked'], `0;a\rb\r\n\r\n${HIDDEN}`],
  ])('400 REQUEST_ERROR and the end for one %s: it is never answered', async (_what, framing, rest) => {
    const { socket, heard } = await rawConnection(stack.baseUrl);
    const ended = new Promise((resolve) => socket.once('end', resolve));
    const head = ['POST /api/v1/labels HTTP/1.1', 'Host: x', `Authorization: Bearer ${home.keys.write}`, ...framing];
    socket.write(`${head.join('\r\n')}\r\n\r\n${rest}`);
    await ended;
    socket.destroy();
    expect([...heard().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['400']);
  });
});

describe('bad input', () => {
  it('changes nothing', async () => {
    const emails = await stack.collections.emails.countDocuments({ workspaceId: home.id });
    const { labels, views, inboxFilters, aiLabelRules, autoForwardRules } = (await storedOf(stack, home.id)) as Record<
      string,
      unknown[]
    >;
    // The workspace still holds its first documents: one of each kind, and the label of the AI rule.
    expect([emails, labels?.length, views?.length, inboxFilters?.length]).toEqual([4, 2, 1, 1]);
    expect([aiLabelRules?.length, autoForwardRules?.length]).toEqual([1, 1]);
  });
});
