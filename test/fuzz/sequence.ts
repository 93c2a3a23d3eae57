import type { Answer, Json } from '../support/client.ts';
import type { TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { asShell, type Asked, type Named } from './as-shell.ts';
import { createLedger } from './ledger.ts';
import { emptyModel, expectSame, newEmail, sorted, type Model } from './model.ts';
import type { Request } from './requests.ts';
import { followBulk, followEmail, followResource, manual } from './resources.ts';
import { curl, prepare, send, type Pool, type Sent } from './send.ts';
import { KINDS } from './values.ts';

const EMAILS = 6;
const PAGE = 4;

/** Asks one thing after the other of a workspace of its own, and holds each answer against the reference. */
export async function runSequence(stack: TestStack, requests: Request[], tell: (line: string) => void): Promise<void> {
  tell('its preparation');
  const { workspace, model, pool, given } = await prepareWorkspace(stack);
  const ledger = createLedger();
  const asked: Asked[] = [];
  try {
    for (const request of requests) {
      const sent = prepare(request, pool);
      const made: Named[] = [];
      asked.push({ sent, made });
      tell(curl(sent));
      const answer = await send(sent, workspace);
      refuseFailure(answer);
      ledger.follow(sent, answer);
      if (answer.headers.get('idempotency-replayed') !== 'true') follow(model, sent, answer);
      made.push(...namedIn(sent, answer));
      for (const { kind, id } of made) pool[kind].push(id);
    }
    tell('its end');
    await compareInTheEnd(workspace, model);
  } catch (thrown) {
    throw new Error(`${(thrown as Error).message}\nafter:\n${asShell(given, asked)}`, { cause: thrown });
  }
}

async function prepareWorkspace(stack: TestStack) {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const messages = Array.from({ length: EMAILS }, (_, at) => ({ subject: `Mail ${at}`, isRead: at % 2 === 0 }));
  const emailIds = await workspace.ingest(mailbox.id, messages);
  const model = emptyModel();
  emailIds.forEach((id, at) => model.emails.set(id, newEmail({ isRead: at % 2 === 0, isStarred: false })));
  const pool = Object.fromEntries(KINDS.map((kind) => [kind, [] as string[]])) as Pool;
  pool.mailbox.push(mailbox.id);
  pool.email.push(...emailIds);
  const given: Named[] = [
    { kind: 'mailbox', id: mailbox.id, field: 'items[0].id' },
    ...emailIds.map((id, at): Named => ({ kind: 'email', id, field: `items[${at}].id` })),
  ];
  return { workspace, model, pool, given };
}

/** Within a sequence nothing is slow and nothing is broken: there is no excuse. */
function refuseFailure({ status, body }: Answer<Json>): void {
  if (status === 500 || status === 408) throw new Error(`${status} ${JSON.stringify(body)}`);
  if (status < 400) return;
  const others = Object.keys(body).filter((name) => !['code', 'error', 'details'].includes(name));
  expectSame('what else is in a refusal', others, []);
}

function follow(model: Model, sent: Sent, answer: Answer<Json>): void {
  followResource(model, sent, answer);
  followEmail(model, sent, answer);
  followBulk(model, sent, answer);
}

const WORDS = { label: 'label', view: 'view', filter: 'filter', draft: 'draft', email: 'email' } as const;

/** Ids and cursors in an answer that later requests can refer to. */
function namedIn({ template }: Sent, { status, body }: Answer<Json>): Named[] {
  const cursor: Named[] = body?.nextCursor ? [{ kind: 'cursor', id: body.nextCursor, field: 'nextCursor' }] : [];
  if (status !== 201) return cursor;
  const made = Object.entries(WORDS).flatMap(([word, kind]): Named[] =>
    body[word] ? [{ kind, id: body[word].id, field: `${word}.id` }] : [],
  );
  if (body.draft) made.push({ kind: 'email', id: body.draft.id, field: 'draft.id' });
  const { rule } = body;
  if (rule)
    made.push({ kind: template === '/ai-label-rules' ? 'aiRule' : 'forwardRule', id: rule.id, field: 'rule.id' });
  if (rule?.label) made.push({ kind: 'label', id: rule.label.id, field: 'rule.label.id' });
  return made;
}

/** Pages lose and repeat nothing, lists hold what was made and not deleted, and every email is as it was left. */
async function compareInTheEnd(workspace: TestWorkspace, model: Model): Promise<void> {
  const found: Json[] = [];
  for (let cursor = ''; ;) {
    const { body } = await workspace.read.get(`/emails?limit=${PAGE}${cursor && `&cursor=${cursor}`}`);
    found.push(...body.items);
    expectSame('hasMore', body.hasMore, body.nextCursor !== null);
    if (body.nextCursor === null) break;
    cursor = body.nextCursor;
  }
  expectSame('the emails of all pages', sorted(found.map(({ id }) => id)), sorted(model.emails.keys()));
  for (const { id, isRead, isStarred, tags } of found) {
    const email = model.emails.get(id) as NonNullable<ReturnType<Model['emails']['get']>>;
    const held = [isRead, isStarred, sorted(manual(tags))];
    expectSame(`the email ${id}`, held, [email.isRead, email.isStarred, sorted(email.labels)]);
  }
  const trash = (await workspace.read.get('/emails?folderType=TRASH&limit=200')).body.items;
  const inTrash = [...model.emails].filter(([, { isInTrash }]) => isInTrash).map(([id]) => id);
  expectSame('the trash', sorted(trash.map(({ id }: Json) => id)), sorted(inTrash));
  for (const path of ['/labels', '/views', '/filters', '/ai-label-rules', '/auto-forward-rules']) {
    const answer = await workspace.read.get(path);
    followResource(model, { method: 'GET', template: path, path, parameters: {} } as Sent, answer);
  }
}
