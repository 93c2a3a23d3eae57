import type { Model } from '../../../services/classifier/src/model/model.ts';
import type { Broker } from '../world/broker.ts';
import { createProcess, type Process, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

/** The world around a pod. */
export interface Surroundings {
  broker: Broker;
  network: Network;
  modelOf(pod: Process): Model;
}

export type OpenPod = (pod: Process, lookups: Surroundings) => Promise<void>;

/** Around the six seconds of a lease. */
const STALL_MS = { least: 1_000, most: 12_000 };
const LONG_STALL_MS = { least: 7_000, most: 16_000 };
const UNTIL_RESTART_MS = { least: 200, most: 8_000 };
/** An email whose classifier dies five times goes to quarantine, so fewer pods than that are killed. */
const MOST_KILLS_OF_A_SERVICE = 3;

/** Keeps two pods of each service, as a deployment does: a killed one is followed by another after a while. */
export function keepPods(world: World, services: Readonly<Record<string, OpenPod>>, lookups: Surroundings): void {
  const kills = new Map<string, number>();
  const serviceOf = new Map<Process, string>();
  const start = (service: string, number: number, generation: number): void => {
    const pod = createProcess(world, `${service}-${number}${generation > 1 ? `'${generation}` : ''}`);
    serviceOf.set(pod, service);
    pod.onDeath.push(() => {
      const after = world.chance.between(UNTIL_RESTART_MS.least, UNTIL_RESTART_MS.most);
      world.after(after, undefined, () => start(service, number, generation + 1));
    });
    world.trace.say(pod.name, 'starts');
    const open = services[service] as OpenPod;
    const end = (error: unknown) => {
      world.trace.say(pod.name, `cannot start: ${String(error)}`);
      world.kill(pod);
    };
    world.after(0, pod, () => void within(pod, () => open(pod, lookups)).catch(end));
  };
  world.beforeStep = (process) => {
    const service = serviceOf.get(process);
    if (service === undefined) return;
    if (world.faults.strikes('stalls')) stall(world, process, STALL_MS);
    const killed = kills.get(service) ?? 0;
    if (killed >= MOST_KILLS_OF_A_SERVICE || !world.faults.strikes('kills')) return;
    kills.set(service, killed + 1);
    world.trace.say(process.name, 'is killed');
    world.kill(process);
  };
  for (const service of Object.keys(services)) for (const number of [1, 2]) start(service, number, 1);
}

/** A process stands still right behind its write, and goes on with what it wrote while others take over its work. */
export function stallBehindWrites(world: World): void {
  world.database.onWrite(async ({ reply }, by) => {
    const isEffective = Number(reply['n'] ?? 0) > 0 || Boolean(reply['value']);
    if (isEffective && world.faults.strikes('stallsInWork')) stall(world, by, LONG_STALL_MS);
  });
}

function stall(world: World, process: Process, { least, most }: typeof STALL_MS): void {
  const ms = world.chance.between(least, most);
  world.trace.say(process.name, `stands still for ${ms} ms`);
  process.stalledUntil = world.now() + ms;
}
