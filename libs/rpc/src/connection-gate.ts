import { connectivityState } from '@grpc/grpc-js';
import type { Client } from '@grpc/grpc-js';

/**
 * Holds calls back while no peer is connected. A call that was never sent has had no effect, so a write is as safe to
 * hold as a read; gRPC itself would refuse both at once. With a connected peer it returns undefined, and nothing waits.
 */
export function connectionGate(client: Client): (until: number) => Promise<void> | undefined {
  let waiting: Promise<void> | undefined;

  return (until) => {
    const state = client.getChannel().getConnectivityState(true);
    // While connecting for the first time gRPC queues calls by itself; only a failure has to be bridged.
    if (state !== connectivityState.TRANSIENT_FAILURE) return undefined;
    waiting ??= untilReady(client, until).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

function untilReady(client: Client, until: number): Promise<void> {
  return new Promise((resolve) => {
    // Without a connection by then the call proceeds, and fails with the reason of gRPC.
    client.waitForReady(until, () => resolve());
  });
}
