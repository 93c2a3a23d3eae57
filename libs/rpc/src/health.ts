import type { Server, ServerUnaryCall } from '@grpc/grpc-js';
import { HealthImplementation, service } from 'grpc-health-check';
import type { Readiness } from '@postroom/runtime/readiness';

type HealthServer = Parameters<HealthImplementation['addToServer']>[0];
type Check = (call: ServerUnaryCall<{ service: string }, unknown>, callback: unknown) => void;

type Checks = Record<string, Check> & { check: Check; watch: Check };

interface Health {
  /** Not serving, from now on; alive all the same. */
  stop(): void;
}

/**
 * The standard gRPC health service under three names: `liveness` asks no engine, `readiness` asks every check of the
 * service, and the empty name means the same as `readiness`.
 */
export function addHealth(server: Server, readiness: Readiness): Health {
  const health = new HealthImplementation({ '': 'NOT_SERVING', readiness: 'NOT_SERVING', liveness: 'SERVING' });
  let stopped = false;
  const set = (ready: boolean) => {
    for (const name of ['', 'readiness']) health.setStatus(name, ready && !stopped ? 'SERVING' : 'NOT_SERVING');
  };
  const refresh = async () => set((await readiness.check()).ready);
  const stop = () => {
    stopped = true;
    set(false);
  };
  readiness.onDrain(stop);

  // The library answers with the last state that it was given. A probe needs the present state, so each one checks first.
  const asking: HealthServer = {
    addService: (_definition, implementation) => {
      const { check, watch, ...others } = implementation as unknown as Checks;
      const afterRefresh =
        (answer: Check): Check =>
        (call, callback) => {
          if (call.request.service === 'liveness') return answer(call, callback);
          void refresh().then(() => answer(call, callback));
        };
      server.addService(
        service as never,
        { ...others, check: afterRefresh(check), watch: afterRefresh(watch) } as never,
      );
    },
  };
  health.addToServer(asking);
  return { stop };
}
