import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { addressesOf, choosePorts } from '@postroom/local/ports';
import { loadService, SERVICES, type ServiceName } from '@postroom/local/services';
import { openMailStore } from '@postroom/mail-store/connection';
import { IncomingMessage, MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { type Answer, type ApiClient, apiClient } from '../support/client.ts';
import { type Collector, type SeenSpan, startCollector } from '../support/collector.ts';
import { commandLine } from '../support/command-line.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { endServiceProcesses, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { createTestWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** Words that stand in mail, keys and requests alone: wherever else they turn up, something private got out. */
const canary = Object.fromEntries(
  ['subject', 'body', 'sender', 'recipient', 'mailbox', 'label', 'search', 'view', 'hidden'].map((name) => [
    name,
    `canary${name}${randomBytes(4).toString('hex')}`,
  ]),
) as Record<'subject' | 'body' | 'sender' | 'recipient' | 'mailbox' | 'label' | 'search' | 'view' | 'hidden', string>;

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const uri = freshDatabaseUri();
const processes = new Map<string, ServiceProcess>();
/** Known before a process is open, because it says its port only then. */
const adminPorts = new Map<string, number>();
let collector: Collector;
let sink: MailSink;
let home: TestWorkspace;
let caller: ApiClient;
let baseUrl: string;
let mailboxId: string;

const each = async <T>(task: (process: ServiceProcess) => Promise<T>) =>
  Object.fromEntries(
    await Promise.all([...processes].map(async ([name, process]) => [name, await task(process)] as const)),
  );
const every = <T>(answer: (name: string) => T) =>
  Object.fromEntries([...processes.keys()].map((name) => [name, answer(name)]));
const ready = { status: 200, text: 'ok\n' };

/** A second replica is called `other`. */
const folderOf = (name: string) => name.replace('other ', '') as ServiceName;

/** Every service by itself, as a cluster runs them: two of label-rule, so that one can leave. */
async function startAll() {
  [collector, sink] = await Promise.all([startCollector(), openMailSink()]);
  const [ports, others] = await Promise.all([choosePorts(), choosePorts()]);
  const addresses = addressesOf(ports);
  const peers = {
    ...addresses,
    LABEL_RULE_ADDR: `ipv4:${addresses.LABEL_RULE_ADDR},${addressesOf(others).LABEL_RULE_ADDR}`,
  };
  const common = {
    MONGODB_URI: uri,
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    DEVELOPMENT_SMTP_ADDR: sink.address,
    OPERATOR_TOKEN: 'operators',
    MAILBOX_ACCESS_TOKEN: 'access',
    ...peers,
  };
  const delays: Record<string, string> = { 'label-rule': '200ms', gateway: '1s' };
  const start = async (name: string) => {
    const folder = folderOf(name);
    const listeners = (name === folder ? ports : others)[folder];
    const adminPort = await freePort(0);
    adminPorts.set(name, adminPort);
    const env = { ...common, ...listeners, ADMIN_PORT: `${adminPort}`, SHUTDOWN_DELAY: delays[name] ?? '0s' };
    processes.set(name, await startServiceProcess(folder, env));
  };
  const opened = Promise.all([...SERVICES, 'other label-rule'].map(start));
  baseUrl = `http://${addresses.GATEWAY_ADDR}/api/v1`;
  const workspaces = connect(WorkspaceOperatorServiceDefinition, peers.WORKSPACE_OPERATOR_ADDR, {
    context,
    token: 'operators',
  });
  const writes = connect(MailboxWriteServiceDefinition, peers.MAILBOX_WRITE_ADDR, { context });
  context.lifecycle.add('clients', () => [workspaces, writes].forEach((client) => client.close()));
  return { opened, workspaces, mailboxWrite: writes, client: (key?: string) => apiClient(baseUrl, key) };
}

let deps: Awaited<ReturnType<typeof startAll>>;
// Each of the processes translates its sources first, and all of them at once.
beforeAll(async () => {
  deps = await startAll();
});
afterAll(async () => {
  await each((process) => process.stop());
  // Those that did not open in time would keep this process alive.
  endServiceProcesses();
  await Promise.all([collector.close(), sink.close()]);
  const { connection } = await openMailStore({ uri, needsSchema: false }, context);
  await connection.dropDatabase();
  await context.lifecycle.close();
});

describe('every service as a process of its own', () => {
  it('is alive and opens nothing, naming the schema, until "migrate" has run; running it again changes nothing', async () => {
    const waiting = { status: 503, text: 'not ready: open, schema\n' };
    for (const [name, port] of adminPorts) {
      const page = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        return { name, status: response.status, text: await response.text() };
      };
      const expected = { name, ...(usesDatabase(name) ? waiting : ready) };
      await eventually(async () => expect(await page('/readyz')).toEqual(expected), 120_000);
      expect(await page('/livez')).toEqual({ name, ...ready });
    }
    expect([...processes.keys()].filter(usesDatabase)).toEqual([]);
    const postroom = commandLine({ MONGODB_URI: uri });
    // So many processes at once may keep the database from answering for the time that a command waits.
    const migrated = await eventually(() => postroom.json('migrate'), 120_000);
    expect(migrated).toMatchObject({ schemaVersion: expect.any(Number), indexes: expect.any(Number) });
    await deps.opened;
    expect(await each(({ page }) => page('/readyz'))).toEqual(every(() => ready));
    expect(await postroom.json('migrate')).toEqual(migrated);
    expect(await each(({ page }) => page('/readyz'))).toEqual(every(() => ready));
  });

  it('answers through the gateway: mail goes in, is listed, searched, read and labelled', async () => {
    home = await createTestWorkspace(deps);
    caller = home.write;
    mailboxId = (await home.connectMailbox({ email: `${canary.mailbox}@mail.example` })).id;
    const [id] = await home.ingest(mailboxId, [
      {
        from: `Somebody <${canary.sender}@there.example>`,
        to: `${canary.recipient}@mail.example`,
        subject: canary.subject,
        text: `${canary.body}\r\n`,
      },
    ]);
    const label = await caller.post('/labels', { name: canary.label, color: 'Blue' });
    const answers = [
      await caller.get('/emails'),
      await caller.get(`/emails/search?q=${canary.body}`),
      await caller.get(`/emails/${id}`),
      await caller.get(`/emails/${id}/body`),
      await caller.patch(`/emails/${id}`, { isStarred: true }),
    ];
    expect(label.status).toBe(201);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers[0]?.body)).toContain(canary.subject);
  });

  it('shows one request as one trace, found by its X-Request-Id: gateway, gRPC, handler, database', async () => {
    const asked = (await caller.get('/labels')).headers.get('x-request-id');
    const isOfRequest = ({ attributes }: SeenSpan) =>
      attributes.some(({ key, value }) => key === 'postroom.request_id' && value.stringValue === asked);
    const named = () => collector.spans().filter(isOfRequest);
    await eventually(() => expect(named().map(({ name }) => name)).toContain('GET /labels'));
    const root = named().find(({ name }) => name === 'GET /labels');
    const trace = () => collector.spans().filter(({ traceId }) => traceId === root?.traceId);
    const depthOf = ({ parentSpanId }: SeenSpan): number => {
      const parent = trace().find(({ spanId }) => spanId === parentSpanId);
      return parent ? 1 + depthOf(parent) : 0;
    };
    const at = (depth: number) => trace().filter((span) => depthOf(span) === depth);
    await eventually(() => expect(at(3).map(({ name }) => name)).toEqual(['find labels']));
    expect(at(0)).toEqual([root]);
    expect(named()).toEqual(expect.arrayContaining([root, ...at(2)]));
    await eventually(() => expect(processes.get('gateway')?.said()).toContain(`"requestId":"${asked}"`));
  });

  it('shows a send as one trace, from the request over the handler to the mail server', async () => {
    const to = [{ email: `${canary.recipient}@there.example` }];
    const message = { mailboxId, to, subject: canary.subject, body: { text: canary.body } };
    const answer = await home.send.post('/drafts/send', message);
    expect(answer.status).toBe(200);
    expect(sink.caught).toHaveLength(1);
    const delivered = () => collector.spans().find(({ name }) => name === 'smtp deliver');
    await eventually(() => expect(delivered()).toBeDefined());
    const namesOfTrace = () =>
      collector
        .spans()
        .filter(({ traceId }) => traceId === delivered()?.traceId)
        .map(({ name }) => name);
    const way = ['POST /drafts/send', 'OutboundSendService/SendEmail', 'send', 'smtp deliver'];
    await eventually(() => expect(namesOfTrace()).toEqual(expect.arrayContaining(way)));
  });

  it('says nothing private, however it is asked: not in a line of any log, nor a span, nor a metric', async () => {
    const odd = { headers: { 'user-agent': canary.search, referer: `https://x.example/${canary.search}` } };
    const twice = async (path: string, body: unknown) => [await caller.post(path, body), await caller.post(path, body)];
    const answers = [
      ...(await twice('/filters', { type: 'sender', value: `${canary.hidden}@there.example` })),
      ...(await twice('/labels', { name: `${canary.label}2`, color: 'Blue' })),
      await caller.post('/labels', { name: [canary.label], color: canary.label, [canary.label]: canary.label }),
      await caller.post('/views', { name: canary.view, filters: { [canary.view]: canary.view } }),
      await caller.request('POST', '/labels', { raw: `{"name": "${canary.label}` }),
      await caller.get(`/emails?filters=${encodeURIComponent(`{"subject":"${canary.search}"}`)}`),
      await caller.get(`/emails?cursor=${canary.search}&${canary.search}=1`, odd),
      await caller.get(`/emails/${canary.search}`, odd),
      await caller.get(`/${canary.search}`, odd),
      await deps.client(`mk_${canary.search.padEnd(40, '0')}`).get('/labels', odd),
      await deps.client(canary.search).get('/labels', odd),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      201, 409, 201, 409, 400, 400, 400, 400, 400, 404, 404, 401, 401,
    ]);
    // The service quarantines a message that it cannot parse, and logs the cause.
    const raw = Buffer.from(`${canary.subject}\0${canary.body}`);
    const broken = IncomingMessage.create({ sourceKey: 'broken', raw, folderType: 'INBOX' });
    await deps.mailboxWrite.ingest(
      { mailboxId, messages: [broken] },
      { workspaceId: home.id, deadline: Date.now() + 5_000 },
    );
    await eventually(() => expect(collector.spans().some(({ name }) => name.includes('POST /labels'))).toBe(true));

    const shown = await each(async ({ said, page }) => said() + (await page('/metrics')).text);
    const everything = { ...shown, spans: collector.text() };
    const secrets = [...Object.values(canary), ...Object.values(home.keys)];
    const leaks = Object.entries(everything).flatMap(([where, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
    );
    expect(leaks).toEqual([]);
    // Silence would pass as well: the requests are there, each with what an operator looks for.
    expect(shown.gateway).toMatch(
      /"requestId":"[^"]+","workspaceId":"[^"]+","method":"PATCH","route":"[^"]+","status":200,"ms":/,
    );
    const asked = Object.values(shown).filter((text) =>
      /rpc_server_seconds_count|http_request_seconds_count/.test(text),
    );
    expect(asked.length).toBeGreaterThanOrEqual(7);
    const silent = Object.values(shown).filter((text) => !/"msg":"open"[^]*process_resident_memory_bytes/.test(text));
    expect(silent).toEqual([]);
  });

  it('exits 0 when told to stop under load: a replica unnoticed, the gateway with every request answered', async () => {
    const replica = load(() => caller.get('/labels'));
    await replica.until(50);
    expect(await processes.get('label-rule')?.stop()).toBe(0);
    await replica.until(200);
    expect(await replica.stop()).toEqual({ 200: expect.any(Number) });

    // A connection that lies idle until its server leaves may be closed under the next request, whoever made it. So every
    // answer of a gateway that is leaving asks its caller to come back by another, which these callers take for an end.
    const gateway = load(() => caller.get('/mailboxes'), isAskedToLeave);
    await gateway.until(50);
    expect(await processes.get('gateway')?.stop()).toBe(0);
    const begun = processes
      .get('gateway')
      ?.said()
      .match(/"method":"GET","route":"\/mailboxes"/g)?.length;
    expect(await gateway.stop()).toEqual({ 200: begun });

    expect(await each(({ stop }) => stop())).toEqual(every(() => 0));
    const closed = (process: ServiceProcess) => Promise.resolve(/"msg":"closed"/.test(process.said()));
    expect(await each(closed)).toEqual(every(() => true));
  });
});

function usesDatabase(name: string): boolean {
  return 'MONGODB_URI' in loadService(folderOf(name)).config.shape;
}

const isAskedToLeave = ({ headers }: Answer) => headers.get('connection') === 'close';

/** Calls without a pause, four at a time, each until its last answer, and counts how they ended. */
function load(call: () => Promise<Answer>, isLast: (answer: Answer) => boolean = () => false) {
  const ends: Record<string, number> = {};
  let made = 0;
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    for (let isDone = false; !isDone && !isOver;) {
      const answer = await call().catch((error: Error) => error);
      const end = answer instanceof Error ? answer.message : String(answer.status);
      ends[end] = (ends[end] ?? 0) + 1;
      made += 1;
      isDone = answer instanceof Error || isLast(answer);
    }
  });
  return {
    until: async (more: number) => {
      const goal = made + more;
      while (made < goal) await context.clock.sleep(5);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
      return ends;
    },
  };
}
