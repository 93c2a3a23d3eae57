import type { DeliveringDeps } from '../../../services/webhook-delivery/src/delivering/delivering.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** A request that an endpoint took. */
export interface Arrival {
  host: string;
  changeId: string;
  at: number;
}

/** The time of an attempt. */
const LIMIT_MS = 10_000;
const SICK_MS = { least: 10_000, most: 90_000 };
const NO_ANSWER = { status: null, isDelivered: false, error: 'no answer within the time' };

interface Endpoints {
  arrivals: readonly Arrival[];
  /** From then on every endpoint is well. */
  wellFrom: number;
  senderOf(pod: Process): DeliveringDeps['sender'];
}

/** The endpoints of all webhooks. One of them may be sick for a while: it refuses everything, or hangs. */
export function openEndpoints(world: World, sickHost: string): Endpoints {
  const { chance, faults, trace } = world;
  const arrivals: Arrival[] = [];
  const isSick = faults.isOn('sickEndpoint');
  const hangs = chance.happens(0.5);
  const wellFrom = world.now() + (isSick ? chance.between(SICK_MS.least, SICK_MS.most) : 0);
  const pass = (pod: Process, ms: number) => new Promise<void>((resolve) => void world.after(ms, pod, resolve));

  const senderOf = (pod: Process): DeliveringDeps['sender'] => ({
    send: async (find, { headers }) => {
      const { host } = await find();
      const changeId = headers['webhook-id'] ?? '';
      const say = (what: string) => trace.say(host, `${what} ${changeId} of ${pod.name}`);
      await pass(pod, world.latency());
      if (isSick && host === sickHost && world.now() < wellFrom) {
        say(hangs ? 'hangs on' : 'refuses');
        if (hangs) await pass(pod, LIMIT_MS);
        return hangs ? NO_ANSWER : { status: 503, isDelivered: false, error: 'the endpoint answered 503' };
      }
      if (faults.strikes('endpointFailures')) {
        say('fails on');
        return { status: 500, isDelivered: false, error: 'the endpoint answered 500' };
      }
      say('takes');
      arrivals.push({ host, changeId, at: world.now() });
      if (faults.strikes('lostEndpointAnswers')) {
        say('does not answer');
        await pass(pod, LIMIT_MS);
        return NO_ANSWER;
      }
      await pass(pod, world.latency());
      return { status: 200, isDelivered: true, error: null };
    },
  });
  return { arrivals, wellFrom, senderOf };
}
