import { describe, expect, it } from '@jest/globals';
import { mendRequestQueue } from './kafkajs-patch.ts';

interface Queue {
  push(request: {
    entry: { correlationId: number; apiName: string };
    expectResponse: boolean;
    sendRequest(): void;
  }): void;
  fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
  checkPendingRequests(): void;
  maybeThrottle(ms: number): void;
  throttleCheckTimeoutId: unknown;
  destroy(): void;
}
type QueueClass = new (options: object) => Queue;

const quiet = { debug: () => undefined, warn: () => undefined };
function newQueue(maxInFlightRequests: number): Queue {
  mendRequestQueue();
  // eslint-disable-next-line -- not part of kafkajs's public interface
  const RequestQueue = require('kafkajs/src/network/requestQueue') as QueueClass;
  return new RequestQueue({ maxInFlightRequests, requestTimeout: 1_000, clientId: 'test', broker: 'b', logger: quiet });
}
const request = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, apiName: 'Fetch', apiKey: 1, apiVersion: 1, resolve: () => undefined },
  expectResponse: true,
  sendRequest: () => void sent.push(correlationId),
});

describe('the mended request queue of kafkajs', () => {
  it('sets no timer while nothing waits', () => {
    const queue = newQueue(5);
    queue.checkPendingRequests();
    queue.push(request(1, []));
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });

  it('sends what waits when an answer makes room, in order', () => {
    const queue = newQueue(1);
    const sent: number[] = [];
    for (const id of [1, 2, 3]) queue.push(request(id, sent));
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    queue.fulfillRequest({ correlationId: 2, payload: Buffer.alloc(0), size: 0 });
    expect(sent).toEqual([1, 2, 3]);
    queue.destroy();
  });

  it('sends what a throttling broker held back once the throttle is over', async () => {
    const queue = newQueue(5);
    const sent: number[] = [];
    queue.maybeThrottle(30);
    const sending = new Promise<void>((resolve) => {
      queue.push({ ...request(1, sent), sendRequest: () => resolve(void sent.push(1)) });
    });
    expect(sent).toEqual([]);
    await sending;
    expect(sent).toEqual([1]);
    queue.destroy();
  });
});
