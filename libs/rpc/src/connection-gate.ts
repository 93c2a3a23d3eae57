import { connectivityState } from '@grpc/grpc-js';
import type { Client } from '@grpc/grpc-js';

/** How long a call may wait for a peer that is not there, such as one that restarts. */
const PATIENCE_MS = 3_000;

/**
 * Holds calls back while no peer is connected. What was never sent needs no repeating, so a write is as safe to hold
 * as a read, while gRPC itself would refuse both at once. Resolves to nothing to wait for on the common path.
 */
export function connectionGate(client: Client): (deadline: number) => Promise<void> | undefined {
  let waiting: Promise<void> | undefined;

  return (deadline) => {
    const state = client.getChannel().getConnectivityState(true);
    // While connecting for the first time gRPC queues calls by itself; only a failure has to be bridged.
    if (state !== connectivityState.TRANSIENT_FAILURE) return undefined;
    const until = Math.min(deadline, Date.now() + PATIENCE_MS);
    waiting ??= untilReady(client, until).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

function untilReady(client: Client, until: number): Promise<void> {
  return new Promise((resolve) => {
    // Without a connection by then the call goes ahead, and fails with gRPC's own account of why.
    client.waitForReady(until, () => resolve());
  });
}
