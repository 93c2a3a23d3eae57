import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { fromServiceError, toGrpcStatus } from '@postroom/errors/grpc-status';
import type { ServiceError } from '@grpc/grpc-js';
import { gate, type LoneGateway, openLoneGateway } from './lone-gateway.ts';

let gateway: LoneGateway;
/** outbound-send answers its calls with these in order, and refuses every further call. */
let calls: (() => Promise<never>)[];
let begun: string[];
beforeEach(async () => {
  begun = [];
  const sendEmail = async (_request: unknown, { operationId }: { operationId?: string | undefined }) => {
    begun.push(operationId ?? '');
    return (calls.shift() ?? refuse)();
  };
  gateway = await openLoneGateway({
    services: { outboundSend: { sendEmail } },
    bounds: { MAX_CALLS_PER_WORKSPACE: 1 },
    routes: routes.map(toldOf),
  });
});
afterEach(() => gateway.close());

let stoodInLine: () => void = () => undefined;
/** Calls `stoodInLine` when a call queues behind others of its mailbox. */
const toldOf = (route: Route): Route => {
  const { waitsFor } = route;
  if (!waitsFor) return route;
  return { ...route, waitsFor: (asked) => (stoodInLine(), waitsFor(asked)) };
};

const body = { mailboxId: 'mbx_1', to: [{ email: 'b@x.example' }], body: { text: 'x' } };
const send = async (key?: string) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await gateway.caller.post('/drafts/send', body, { headers });
  return [answer.status, answer.body.code, answer.body.error];
};
/** As the service itself says it. */
const refuse = () =>
  Promise.reject<never>(
    fromServiceError(Object.assign(new Error(), toGrpcStatus(new ApiError('MAILBOX_INACTIVE'))) as ServiceError),
  );
const late = (cause?: Error) => () => Promise.reject(new ApiError('QUERY_TIMEOUT', { cause }));
const NOTHING = [500, 'INTERNAL_ERROR', 'Nothing was sent: the time of the call was over before it began.'];
const PERHAPS = [408, 'QUERY_TIMEOUT', expect.stringMatching(/not known/)];

/** Waits behind another until its time is over. */
async function sendBehindAnother(key?: string) {
  const [arrived, free] = [gate(), gate()];
  calls = [
    async () => {
      arrived.open();
      await free.opened;
      return refuse();
    },
  ];
  const first = send();
  await arrived.opened;
  const stands = gate();
  stoodInLine = stands.open;
  const second = send(key);
  await stands.opened;
  gateway.clock.set(gateway.clock.now() + 11_000);
  free.open();
  await first;
  return second;
}

describe('POST /drafts/send whose time is over', () => {
  it.each([undefined, 'k'])(
    '500 that says that nothing was sent, where it only waited behind others (key: %s)',
    async (key) => {
      expect(await sendBehindAnother(key)).toEqual(NOTHING);
      expect(begun).toHaveLength(1);
      calls = [];
      expect((await send(key))[1]).toBe('MAILBOX_INACTIVE');
    },
  );

  it('408 where it only waited, and an attempt under its key before may have sent it', async () => {
    calls = [late()];
    expect(await send('k')).toEqual(PERHAPS);
    expect(await sendBehindAnother('k')).toMatchObject([408, 'QUERY_TIMEOUT', expect.any(String)]);
    calls = [];
    expect((await send('k'))[1]).toBe('MAILBOX_INACTIVE');
    expect(begun[2]).toBe(begun[0]);
  });

  it('408 where it was begun, and 500 where there was nobody to begin it', async () => {
    const details = 'No connection established. Last error: refused';
    const unavailable = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details });
    calls = [late(), () => Promise.reject(new ApiError('INTERNAL_ERROR', { cause: unavailable }))];
    expect(await send()).toEqual(PERHAPS);
    expect(await send()).toEqual(NOTHING);
  });
});
