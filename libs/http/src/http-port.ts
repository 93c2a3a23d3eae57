import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@postroom/runtime/clock';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';
import { startTimer } from '@postroom/runtime/timer';

/** Opens the port, and closes it with the service. Returns its number. */
export async function openHttpPort(
  server: Server,
  host: string,
  port: number,
  context: ServiceContext,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  context.readiness.onDrain(() => server.prependListener('request', askToLeave));
  context.lifecycle.add('http server', () => drain(server, context.clock));
  return (server.address() as AddressInfo).port;
}

/** The keep-alive time is longer than that of callers, so no connection closes under their next request. */
function askToLeave(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Accepts no new connections and closes idle ones. Running requests finish, or are cut off after the time limit. */
async function drain(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cancel = startTimer(clock, timeLimits.gatewayDrainMs, () => server.closeAllConnections());
  await closed;
  cancel();
}
