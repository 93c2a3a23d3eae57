import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { systemClock } from '@postroom/runtime/clock';
import { eventually } from '../engines/eventually.ts';
import { type Answer, apiClient, type ApiClient, type Json } from '../support/client.ts';
import { type MailSink, openMailSink, type SmtpStage } from '../support/mail-sink.ts';
import { endServiceProcesses, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const STAGES: SmtpStage[] = process.env['POSTROOM_FULL']
  ? ['connected', 'recipient', 'data', 'accepted', 'answered']
  : ['recipient', 'answered'];
/** After this the key of a call whose gateway died is free again. */
const KEY_LEASE_MS = 20_000;
const headers = { 'idempotency-key': 'once' };

/** The time of the gateway that stays. */
const clock = shiftingClock();
let sink: MailSink;
let stack: TestStack;
let home: TestWorkspace;
let doomed: ServiceProcess;
let clients: { doomed: ApiClient; other: ApiClient };
let message: object;

beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({
    variables: { DEVELOPMENT_SMTP_ADDR: sink.address },
    clock: (service) => (service === 'gateway' ? clock : systemClock),
  });
});
afterAll(async () => {
  endServiceProcesses();
  await stack.close();
  await sink.close();
});

beforeEach(async () => {
  sink.at = undefined;
  sink.caught.length = 0;
  home = await stack.workspace();
  const { id: mailboxId } = await home.connectMailbox();
  message = { mailboxId, to: [{ email: 'b@x.example' }], subject: 'Once', body: { text: 'x' } };
  const port = await freePort(0);
  doomed = await startServiceProcess('gateway', {
    MONGODB_URI: stack.mongodbUri,
    HTTP_PORT: String(port),
    ...stack.addresses,
  });
  clients = { doomed: apiClient(`http://127.0.0.1:${port}/api/v1`, home.keys.send), other: home.send };
});
afterEach(() => doomed.kill());

/** The answer of the other gateway to the same call. It is 409 for as long as the first may be running. */
async function answerAfterLease(): Promise<Answer<Json>> {
  const again = () => clients.other.post('/drafts/send', message, { headers });
  expect([200, 409]).toContain((await again()).status);
  clock.shift(KEY_LEASE_MS);
  return eventually(async () => {
    const answer = await again();
    expect(answer.status).toBe(200);
    return answer;
  });
}

it.each(STAGES)(
  'a send whose gateway is killed at "%s" leaves once, and the other gateway answers for it',
  async (at) => {
    let gone: Promise<void> | undefined;
    sink.at = async (stage) => {
      if (stage === at) await (gone ??= doomed.kill());
    };
    // The answer of a send that was already accepted may have left before its gateway died.
    await clients.doomed.post('/drafts/send', message, { headers }).catch(() => undefined);
    await eventually(() => expect(gone).toBeDefined());
    const answer = await answerAfterLease();
    expect(sink.caught).toHaveLength(1);
    const replay = await clients.other.post('/drafts/send', message, { headers });
    expect([replay.body, replay.headers.get('idempotency-replayed')]).toEqual([answer.body, 'true']);
    expect(sink.caught).toHaveLength(1);
  },
);

it.each(STAGES)(
  'a send whose gateway stands still from "%s" on leaves once, and both gateways answer the same',
  async (at) => {
    let isStill = false;
    sink.at = async (stage) => {
      if (stage !== at || isStill) return;
      doomed.pause();
      isStill = true;
    };
    const first = clients.doomed.post('/drafts/send', message, { headers });
    await eventually(() => expect(isStill).toBe(true));
    const { body } = await answerAfterLease();
    doomed.resume();
    expect(await first).toMatchObject({ status: 200, body });
    // A gateway that has stood still takes itself for overloaded at first.
    await eventually(async () => {
      const replay = await clients.doomed.post('/drafts/send', message, { headers });
      expect([replay.body, replay.headers.get('idempotency-replayed')]).toEqual([body, 'true']);
    });
    expect(sink.caught).toHaveLength(1);
  },
);

it('an answer of a gateway that is killed afterwards is replayed by the other', async () => {
  const answers = [];
  for (const path of ['/drafts/send', '/drafts'] as const) {
    const { status, body } = await clients.doomed.post(path, message, { headers });
    answers.push({ path, status, body });
  }
  await doomed.kill();
  for (const { path, status, body } of answers) {
    const replay = await clients.other.post(path, message, { headers });
    expect([replay.status, replay.body, replay.headers.get('idempotency-replayed')]).toEqual([status, body, 'true']);
  }
  expect(sink.caught).toHaveLength(1);
});

it('of fifty first calls through both gateways one runs, though one gateway is killed among them', async () => {
  const post = (client: ApiClient) => client.post('/drafts/send', message, { headers });
  let gone: Promise<void> | undefined;
  sink.at = async (stage) => {
    if (stage === 'recipient') await (gone ??= doomed.kill());
  };
  const calls = Array.from({ length: 50 }, (_, n) => post(n % 2 === 0 ? clients.doomed : clients.other));
  const statuses = (await Promise.allSettled(calls)).flatMap((call) =>
    call.status === 'fulfilled' ? [call.value.status] : [],
  );
  expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([]);
  clock.shift(KEY_LEASE_MS);
  await eventually(async () => expect((await post(clients.other)).status).toBe(200));
  expect(sink.caught).toHaveLength(1);
});
