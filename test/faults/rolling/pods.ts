import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@postroom/local/services';
import { componentOf, type KubernetesObject, workloadOf, workloads } from '../../chart/objects.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { podEnvironment } from './environment.ts';

const MOST_REPLICAS = 2;
/** The new pod starts before the old one stops, so it needs its own address. */
const SURGE = 1;
const READY_WITHIN_MS = 120_000;
const HTTP_SERVICE_PORT = '80';

/** One version of the product: what its chart says of its pods, and where it was built, if it was. */
export interface Version {
  objects: KubernetesObject[];
  built: string | undefined;
}

interface PodsOptions {
  services: readonly ServiceName[];
  version: Version;
  /** Stands for the pods' mounted files. */
  folder: string;
  /** These variables are set in addition to those of the chart. */
  variables: Record<string, string>;
  /** A gateway that has been told to stop still gets calls for this long. */
  lateCallsMs: number;
}

/** An address of this machine's own network, so that every pod has the ports that the chart gives it. */
interface Host {
  ip: string;
  pod?: ServiceProcess | undefined;
}

export type Pods = Awaited<ReturnType<typeof startPods>>;

const ipv4 = (hosts: readonly Host[], port: string) => `ipv4:${hosts.map(({ ip }) => `${ip}:${port}`).join(',')}`;

/** Clients of HTTP have one address, as of a Service: here that of the first pod. */
const addressAmong = (hosts: readonly Host[], port: string) =>
  port === HTTP_SERVICE_PORT ? `${hosts[0]?.ip ?? ''}:8080` : ipv4(hosts, port);

const hostsFor = (services: readonly ServiceName[], network: string) =>
  new Map<string, Host[]>(
    services.map((name, at) => [
      name,
      Array.from({ length: MOST_REPLICAS + SURGE }, (_, index) => ({ ip: `${network}.${at}.${index + 1}` })),
    ]),
  );

/** Every service as its Deployment runs it: as many processes, and as a rollout replaces them. */
export async function startPods({ services, version, folder, variables, lateCallsMs }: PodsOptions) {
  const network = `127.${randomInt(1, 255)}`;
  const hosts = hostsFor(services, network);
  const hostsOf = (name: string): Host[] => hosts.get(name) ?? [{ ip: `${network}.255.1` }];
  const running = (name: ServiceName) => hostsOf(name).filter(({ pod }) => pod);
  const freeHost = (name: ServiceName): Host => hostsOf(name).find(({ pod }) => !pod) ?? noHost(name);
  const addressOf = (name: string, port: string) => addressAmong(hostsOf(name), port);
  const listed = new Set<Host>();
  const gone: { name: string; said: string }[] = [];

  const start = async (name: ServiceName, host: Host, of: Version): Promise<void> => {
    const chart = podEnvironment(workloadOf(of.objects, name), folder, addressOf);
    host.pod = await startServiceProcess(name, { ...chart, HOST: host.ip, ...variables }, of.built);
    await ready(name, host.pod);
    if (name === 'gateway') listed.add(host);
  };
  const end = async <T>(name: ServiceName, host: Host, how: (pod: ServiceProcess) => Promise<T>): Promise<T> => {
    const { pod = noHost(name) } = host;
    const ending = how(pod);
    if (listed.has(host)) await pause(lateCallsMs);
    listed.delete(host);
    const ended = await ending;
    gone.push({ name, said: pod.said() });
    host.pod = undefined;
    return ended;
  };
  const stop = (name: ServiceName, index: Host) => end(name, index, (pod) => pod.stop());

  for (const name of services) {
    const first = hostsOf(name).slice(0, replicasOf(name, version));
    await Promise.all(first.map((index) => start(name, index, version)));
  }
  return {
    addressOf,
    /** Base addresses of the gateways that calls go to, as a Service lists them. */
    gateways: () => [...listed].map(({ ip }) => `http://${ip}:8080/api/v1`),
    /** Replaces one pod after the other: the new one is ready before the old one stops. Returns the exit codes. */
    replaceAll: async (name: ServiceName, by: Version): Promise<(number | null)[]> => {
      const codes: (number | null)[] = [];
      const old = running(name);
      for (let replica = 0; replica < replicasOf(name, by); replica++) {
        await start(name, freeHost(name), by);
        for (const leaving of old.splice(0, 1)) codes.push(await stop(name, leaving));
      }
      for (const leaving of old) codes.push(await stop(name, leaving));
      return codes;
    },
    /** As a crash, and as Kubernetes after it. Gives back when it was seen to be gone. */
    killOne: async (name: ServiceName, by: Version): Promise<number> => {
      const [host = noHost(name)] = running(name);
      const goneAt = await end(name, host, (pod) => pod.kill().then(Date.now));
      return start(name, host, by).then(() => goneAt);
    },
    /** The output of every pod, ended pods included. */
    said: () => [...gone, ...saidAt(hosts)],
    close: async () => {
      for (const name of [...services].reverse()) await Promise.all(running(name).map((index) => stop(name, index)));
    },
  };
}

const saidAt = (hosts: Map<string, Host[]>) =>
  [...hosts].flatMap(([name, of]) => of.flatMap(({ pod }) => (pod ? [{ name, said: pod.said() }] : [])));

function noHost(name: ServiceName): never {
  throw new Error(`${name} has no such place`);
}

async function ready(name: ServiceName, pod: ServiceProcess): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  for (let page = await pod.page('/readyz'); page.status !== 200; page = await pod.page('/readyz')) {
    if (Date.now() > end) throw new Error(`${name} does not get ready: ${page.text}`);
    await pause(100);
  }
}

/** None of a service that a version does not have yet. */
function replicasOf(name: ServiceName, { objects }: Version): number {
  const deployment = workloads(objects).find((object) => componentOf(object) === name);
  return deployment ? (deployment.spec.replicas ?? 1) : 0;
}
