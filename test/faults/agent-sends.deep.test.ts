import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import {
  OutboundSendOperatorServiceDefinition,
  OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { grantTo } from '../support/agent-grant.ts';
import { ISSUER } from '../support/identity.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { mcpClient, type ToolAnswer } from '../support/mcp-client.ts';
import { proxyTo } from '../support/service-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** Between outbound-send and the mail server, and until the send is stored. */
const WHILE_SENDING = ['connected', 'recipient', 'data', 'accepted', 'answered', 'noted', 'stored'] as const;

/** The points of one `send_draft`, in their order. At each one the process that is named by the test dies. */
const POINTS = [
  'the gateway is asked',
  'outbound-send is asked',
  ...WHILE_SENDING,
  'outbound-send has answered',
  'the gateway has answered',
] as const;
type Point = (typeof POINTS)[number];
type Victim = 'mcp' | 'gateway' | 'outbound-send';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const token = { MCP_TOKEN: 'of the test' };
const processes = {} as Record<Victim, ServiceProcess>;
let start: Record<Victim, () => Promise<ServiceProcess>>;
let stack: TestStack;
let sink: MailSink;
let workspace: TestWorkspace;
let mailboxId: string;
let mcpUrl: string;
let operators: Client<typeof OutboundSendOperatorServiceDefinition>;
let closeTap: () => void;
let agent: Awaited<ReturnType<typeof grantTo>> | undefined;
/** Called at each point that any send reaches. */
let reached: (point: Point) => Promise<void> = async () => undefined;

beforeAll(async () => {
  sink = await openMailSink();
  sink.at = (stage) => reached(stage);
  const [mcp, gateway, outbound, admin] = await Promise.all([0, 0, 0, 0].map(() => freePort(0)));
  mcpUrl = `http://127.0.0.1:${mcp}/mcp`;
  const asked = await tapped(OutboundSendServiceDefinition, `127.0.0.1:${outbound}`, 'sendDraft', [
    'outbound-send is asked',
    'outbound-send has answered',
  ]);
  const variables = { ...token, OAUTH_ISSUER: ISSUER, OUTBOUND_SEND_ADDR: asked };
  stack = await startStack({ without: ['outbound-send'], variables });
  const { MAILBOX_WRITE_ADDR: storing } = stack.addresses;
  const stored = await tapped(MailboxWriteServiceDefinition, storing, 'storeOutgoing', ['noted', 'stored']);
  const calls = await tapHttp(gateway!);
  const { addresses, mongodbUri: MONGODB_URI, operatorToken: OPERATOR_TOKEN, mcpUrl: MCP_URL } = stack;
  const shared = { ...addresses, ...token, MONGODB_URI, OPERATOR_TOKEN, MCP_URL };
  start = {
    mcp: () => startServiceProcess('mcp', { ...shared, HTTP_PORT: `${mcp}`, GATEWAY_ADDR: calls }),
    gateway: () => startServiceProcess('gateway', { ...shared, HTTP_PORT: `${gateway}`, OUTBOUND_SEND_ADDR: asked }),
    'outbound-send': () =>
      startServiceProcess('outbound-send', {
        ...shared,
        GRPC_PORT: `${outbound}`,
        OPERATOR_PORT: `${admin}`,
        MAILBOX_WRITE_ADDR: stored,
        DEVELOPMENT_SMTP_ADDR: sink.address,
        SEND_LEASE: '2s',
      }),
  };
  await Promise.all((Object.keys(start) as Victim[]).map(async (name) => (processes[name] = await start[name]())));
  operators = connect(OutboundSendOperatorServiceDefinition, `127.0.0.1:${admin}`, { context, token: OPERATOR_TOKEN });
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
});
afterAll(async () => {
  await Promise.all(Object.values(processes).map((one) => one.kill()));
  closeTap();
  await agent?.close();
  await context.lifecycle.close();
  await stack.close();
  await sink.close();
});

/** The address of a service whose one rpc passes these two points. */
async function tapped(
  definition: Parameters<typeof proxyTo>[0],
  address: string,
  rpc: string,
  [before, after]: [Point, Point],
): Promise<string> {
  const steps = {
    beforeCall: async (called: string) => (called === rpc ? reached(before) : undefined),
    atYes: async (called: string) => (called === rpc ? reached(after) : undefined),
  };
  const services = [proxyTo(definition, address, steps, context)];
  const { port } = await serve({ address: '127.0.0.1:0', services, context });
  return `127.0.0.1:${port}`;
}

/** The address of the gateway for the MCP server. */
async function tapHttp(port: number): Promise<string> {
  const tap = createServer((asked, answer) => {
    const isSend = asked.method === 'POST' && asked.url?.endsWith('/send') === true;
    void (isSend ? reached('the gateway is asked') : Promise.resolve()).then(() => {
      const { method, url: path, headers } = asked;
      const passed = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (heard) => {
        void (isSend ? reached('the gateway has answered') : Promise.resolve()).then(() => {
          answer.writeHead(heard.statusCode ?? 500, heard.headers);
          heard.on('error', () => answer.destroy()).pipe(answer);
        });
      });
      passed.on('error', () => answer.destroy());
      asked.on('error', () => passed.destroy()).pipe(passed);
    });
  });
  closeTap = () => {
    tap.closeAllConnections();
    tap.close();
  };
  await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(tap.address() as AddressInfo).port}`;
}

/** One request of an agent, which does not hear the answer where a process dies. It brings no idempotency key. */
async function ask(tool: string, draftId: string, secret: string): Promise<ToolAnswer | undefined> {
  const client = await mcpClient(mcpUrl, secret).catch(() => undefined);
  const answer = await client?.call(tool, { draftId }).catch(() => undefined);
  await client?.close().catch(() => undefined);
  return answer;
}

let letters = 0;
async function newDraft() {
  const subject = `Letter ${(letters += 1)}.`;
  const body = { mailboxId, to: [{ email: 'b@x.example' }], subject, body: { text: 'x' } };
  return { subject, id: (await workspace.write.post('/drafts', body)).body.draft.id as string };
}

/** The process dies when the send reaches the point, or afterwards where it is not reached. */
async function dieAt(
  victim: Victim,
  point: Point,
  act: (hasDied: () => boolean) => Promise<unknown>,
): Promise<boolean> {
  let died: Promise<void> | undefined;
  reached = async (now) => {
    if (now !== point) return;
    reached = async () => undefined;
    died = processes[victim].kill();
    await died;
  };
  await act(() => died !== undefined);
  const wasReached = died !== undefined;
  reached = async () => undefined;
  await (died ?? processes[victim].kill());
  processes[victim] = await start[victim]();
  return wasReached;
}

/** The same call again and again, until it says `sent`, or the send is known to be unknown. */
async function untilKnown(draftId: string, secret: string, isOver = () => false): Promise<string> {
  for (let calls = 0; calls < 200 && !isOver(); calls += 1) {
    const answer = await ask('send_draft', draftId, secret);
    if (answer?.isError === false && answer.value.status === 'sent') return 'sent';
    const read = await ask('get_send', draftId, secret);
    if (read?.isError === false && read.value.status === 'not_known') return 'not_known';
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return 'no answer';
}

/** The messages at the mail server, and the emails in the mailbox. */
async function traceOf({ subject }: { subject: string }) {
  const sent = { workspaceId: workspace.id, subject, folderType: 'SENT' } as const;
  return {
    taken: sink.caught.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)).length,
    stored: await stack.collections.emails.countDocuments(sent),
  };
}

type Trace = Awaited<ReturnType<typeof traceOf>> & { outcome: string };

/** The server has the message here, and the process has not written down its answer: nobody knows, and nothing is sent again. */
const OPEN: readonly Point[] = ['accepted', 'answered'];
function expectOne(victim: Victim, point: Point, { outcome, taken, stored }: Trace): void {
  const mayBeOpen = victim === 'outbound-send' && OPEN.includes(point);
  expect({ victim, point, taken }).toEqual({ victim, point, taken: 1 });
  expect({ victim, point, outcome, stored }).toEqual(
    mayBeOpen && outcome === 'not_known'
      ? { victim, point, outcome, stored: 0 }
      : { victim, point, outcome: 'sent', stored: 1 },
  );
}

const IS_FULL = Boolean(process.env.POSTROOM_FULL);
/**
 * Before a process is asked, while the server has the message, and after the answer. Every other point is tried in one
 * process by `approved-draft.test.ts` and the simulator, and here by POSTROOM_FULL.
 */
const FEW: Record<Victim, readonly Point[]> = {
  mcp: ['the gateway has answered'],
  gateway: ['outbound-send is asked'],
  'outbound-send': ['data', 'accepted', 'noted'],
};
const CUTS: [Victim, Point][] = (['mcp', 'gateway', 'outbound-send'] as const).flatMap((victim) =>
  (IS_FULL ? POINTS : FEW[victim]).map((point): [Victim, Point] => [victim, point]),
);

it.each(CUTS)(
  '%s dies at the point "%s" of send_draft: the same call again sends one message',
  async (victim, point) => {
    const letter = await newDraft();
    const secret = workspace.keys.send;
    expect(await dieAt(victim, point, () => ask('send_draft', letter.id, secret))).toBe(true);
    expectOne(victim, point, { outcome: await untilKnown(letter.id, secret), ...(await traceOf(letter)) });
  },
);

/** `approved` is after the decision is stored, and before anything was done about it. */
const AFTER_APPROVAL = IS_FULL ? (['approved', ...WHILE_SENDING] as const) : (['approved', 'accepted'] as const);

it.each(AFTER_APPROVAL)(
  'outbound-send dies at the point "%s" of a send that a person has approved: one message leaves',
  async (point) => {
    agent ??= await grantTo(stack, workspace, 'approve');
    const letter = await newDraft();
    const { accessToken } = agent;
    const value = await eventually(async () => {
      const asked = await ask('send_draft', letter.id, accessToken);
      expect(asked?.value).toMatchObject({ status: 'waiting_for_approval' });
      return asked?.value;
    });
    const decision = { actorId: '', approvalId: value?.approvalId as string, approve: true };
    await dieAt('outbound-send', point === 'approved' ? 'stored' : point, async (hasDied) => {
      await operators.decideWaitingSend(decision, { workspaceId: workspace.id });
      // Before its point it would die at any other, where the server may not have the message yet.
      if (point !== 'approved') await untilKnown(letter.id, accessToken, hasDied);
    });
    const outcome = await untilKnown(letter.id, accessToken);
    expectOne('outbound-send', point === 'approved' ? 'connected' : point, { outcome, ...(await traceOf(letter)) });
  },
);

it('a send that waits for another one does not leave when sending by agents is stopped meanwhile', async () => {
  const drafts = await Promise.all(Array.from({ length: 8 }, newDraft));
  const set = (stopped: boolean) =>
    operators.switchAgentSending({ actorId: '', stopped }, { workspaceId: workspace.id });
  // The first message that reaches the server holds its permit until the switch is used.
  let stopping: Promise<unknown> | undefined;
  reached = async (point) => {
    if (point === 'connected') await (stopping ??= set(true));
  };
  const answers = await Promise.all(drafts.map(({ id }) => ask('send_draft', id, workspace.keys.send)));
  reached = async () => undefined;
  await set(false);
  const refused = answers.filter((answer) => answer?.value.code === 'OUTBOUND_SEND_NOT_ALLOWED');
  const taken = await Promise.all(drafts.map(async (draft) => (await traceOf(draft)).taken));
  expect(refused.length).toBeGreaterThan(0);
  expect(taken.filter((count) => count === 1)).toHaveLength(drafts.length - refused.length);
});
