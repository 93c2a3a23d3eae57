import { dirname } from 'node:path';
import { chartValues, serves, serviceNames } from './helm.ts';
import { componentOf, environmentOf, ofKind, podOf, workloads } from './objects.ts';
import type { KubernetesObject, Labels, Selector, ServiceValues } from './objects.ts';
import { reachable } from './reach.ts';

/** A rule that holds for all values of the chart. It returns the names of the objects that break it. */
type Check = (objects: KubernetesObject[]) => string[];

const ENGINES = Object.keys(chartValues.engines);
const NOBODY: ServiceValues = { calls: [], engines: [] };
const calleesOf = (name: string, protocol: string) =>
  (chartValues.services[name] ?? NOBODY).calls.filter((callee) => serves(callee) === protocol);
const has = (labels: Labels = {}, wanted: object = {}) =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;
const seconds = (text: string | undefined) => Number.parseInt(text ?? '', 10);
/** Development engines are others' images, and run as those were made. */
const ours = (objects: KubernetesObject[]) =>
  workloads(objects).filter((object) => !ENGINES.includes(componentOf(object)));
const unless = (objects: KubernetesObject[], holds: (object: KubernetesObject) => boolean) =>
  objects.filter((object) => !holds(object)).map(nameOf);

export const checks = {
  'every pod holds to the restricted profile': (objects) =>
    unless(workloads(objects), (object) => {
      const pod = podOf(object);
      const { runAsNonRoot, seccompProfile } = pod.securityContext;
      return (
        runAsNonRoot &&
        seccompProfile?.type === 'RuntimeDefault' &&
        !pod.hostNetwork &&
        pod.automountServiceAccountToken === false &&
        pod.containers.every(
          ({ securityContext: own }) =>
            !own.privileged && own.allowPrivilegeEscalation === false && own.capabilities?.drop.includes('ALL'),
        )
      );
    }),

  'every pod of ours runs as 10001, who may read its files, with a /tmp, a limit of memory and no variables but its own':
    (objects) =>
      unless(ours(objects), (object) => {
        const { securityContext, enableServiceLinks, containers } = podOf(object);
        return (
          securityContext.runAsUser === 10001 &&
          securityContext.fsGroup === 10001 &&
          enableServiceLinks === false &&
          containers.every(
            ({ volumeMounts, resources }) =>
              volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') && resources.limits?.memory,
          )
        );
      }),

  'no pod of ours writes beside /tmp, but in a trial': (objects) =>
    unless(
      ours(objects),
      (object) =>
        ours(objects).length < workloads(objects).length ||
        podOf(object).containers.every(({ securityContext }) => securityContext.readOnlyRootFilesystem),
    ),

  'every pod has longer to end than its process takes at most': (objects) =>
    unless(ofKind(ours(objects), 'Deployment'), (object) => {
      const { SHUTDOWN_DELAY, SHUTDOWN_GRACE } = environmentOf(object);
      return podOf(object).terminationGracePeriodSeconds > seconds(SHUTDOWN_DELAY) + seconds(SHUTDOWN_GRACE);
    }),

  'every count has one owner': (objects) => {
    const scalers = [...ofKind(objects, 'HorizontalPodAutoscaler'), ...ofKind(objects, 'ScaledObject')];
    const scaled = scalers.map(({ spec }) => spec.scaleTargetRef?.name ?? '');
    const there = ofKind(objects, 'Deployment').map(({ metadata }) => metadata.name);
    return [
      ...scaled.filter((name, index) => scaled.indexOf(name) !== index || !there.includes(name)),
      ...unless(
        ofKind(objects, 'Deployment'),
        ({ metadata, spec }) => !scaled.includes(metadata.name) || spec.replicas === undefined,
      ),
    ];
  },

  'lag is text, and never asks for more pods than a topic has partitions': (objects) =>
    unless(ofKind(objects, 'ScaledObject'), (object) => {
      const { consumes = [] } = chartValues.services[componentOf(object)] ?? { calls: [], engines: [] };
      const { triggers = [], maxReplicaCount = Infinity } = object.spec;
      return (
        triggers.length === consumes.length &&
        triggers.every(({ metadata }) => Object.values(metadata).every((value) => typeof value === 'string')) &&
        consumes.every(({ partitions }) => maxReplicaCount <= partitions)
      );
    }),

  'no Secret is made, and none stands in an object': (objects) =>
    unless(objects, (object) => object.kind !== 'Secret' && !/:\/\/[^/\s"]+:[^/\s"]+@/.test(JSON.stringify(object))),

  'names are short, of small letters, and text whatever they look like': (objects) =>
    unless(
      objects,
      ({ metadata }) =>
        /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(String(metadata.name)) &&
        [metadata.name, metadata.namespace, ...Object.values(metadata.labels)].every((it) => typeof it === 'string'),
    ),

  'services call each other exactly as the graph says, where policies stand': (objects) => {
    if (ofKind(objects, 'NetworkPolicy').length === 0) return [];
    return (['grpc', 'http'] as const).flatMap((protocol) => {
      const wanted = serviceNames.flatMap((name) => calleesOf(name, protocol).map((callee) => `${name} -> ${callee}`));
      const open = reachable(objects, protocol);
      return [...wanted.filter((pair) => !open.includes(pair)), ...open.filter((pair) => !wanted.includes(pair))];
    });
  },

  'every pod is probed on ports it has, alive without its engines and ready only with them': (objects) =>
    unless(ofKind(ours(objects), 'Deployment'), (object) => {
      const [container] = podOf(object).containers;
      const { startupProbe, livenessProbe, readinessProbe } = container ?? {};
      const open = container?.ports?.flatMap(({ name, containerPort }) => [name, containerPort]) ?? [];
      const probed = [startupProbe, livenessProbe, readinessProbe].map(
        (probe) => probe?.httpGet?.port ?? probe?.grpc?.port,
      );
      return (
        probed.every((port) => port !== undefined && open.includes(port)) &&
        [startupProbe, livenessProbe].every((probe) => probe?.httpGet?.path === '/livez') &&
        (readinessProbe?.httpGet?.path ?? readinessProbe?.grpc?.service)?.includes('read') === true
      );
    }),

  'every Service stands before pods that have its ports': (objects) =>
    unless(ofKind(objects, 'Service'), ({ spec }) => {
      const behind = workloads(objects).filter(({ spec: of }) => has(of.template?.metadata.labels, spec.selector));
      const open = behind.flatMap((object) => podOf(object).containers[0]?.ports?.map(({ name }) => name) ?? []);
      return (spec.ports ?? []).every(({ targetPort }) => open.includes(String(targetPort)));
    }),

  'whoever comes from outside finds the gateway: an Ingress, a route, a scraper and their policies': (objects) => {
    const services = ofKind(objects, 'Service');
    const isThere = (name: string | undefined, port: string | number | undefined) =>
      services.some(
        ({ metadata, spec }) =>
          metadata.name === name && spec.ports?.some((open) => [open.name, open.port].includes(port!)),
      );
    const edges = unless([...ofKind(objects, 'Ingress'), ...ofKind(objects, 'HTTPRoute')], ({ spec }) =>
      (spec.rules ?? []).every(({ http, backendRefs }) => {
        const ends = http?.paths.map(({ backend: { service } }) => ({ name: service.name, port: service.port.name }));
        return (ends ?? backendRefs)?.every(({ name, port }) => isThere(name, port));
      }),
    );
    const scraped = unless(ofKind(objects, 'ServiceMonitor'), ({ spec }) => {
      const pages = services.filter(({ metadata }) => has(metadata.labels, (spec.selector as Selector).matchLabels));
      return (spec.endpoints ?? []).every(
        ({ port, honorLabels }) => honorLabels && pages.some((page) => isThere(page.metadata.name, port)),
      );
    });
    const openPorts = ofKind(objects, 'NetworkPolicy').flatMap((policy) =>
      componentOf(policy) === 'gateway' ? [(policy.spec.ingress ?? []).flatMap((rule) => rule.ports ?? [])] : [],
    );
    return [
      ...edges,
      ...scraped,
      ...openPorts.filter((ports) => !ports.some(({ port }) => port === 'http')).map(() => 'http'),
    ];
  },

  'every address that a pod is given is a Service of this release': (objects) => {
    const ports = ofKind(objects, 'Service').flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).map(({ port }) => `${metadata.name}:${port}`),
    );
    return unless(ours(objects), (object) =>
      Object.entries(environmentOf(object)).every(([name, value]) => !name.endsWith('_ADDR') || ports.includes(value)),
    );
  },

  'every file that a pod is told of is mounted': (objects) =>
    unless(ours(objects), (object) => {
      const { volumes = [], containers } = podOf(object);
      const mounted = containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath) ?? [];
      const secrets = volumes
        .flatMap(({ projected }) => projected?.sources ?? [])
        .flatMap(({ secret }) => secret.items.map(({ path }) => `/etc/postroom/secrets/${path}`));
      return Object.values(environmentOf(object))
        .filter((value) => value.startsWith('/etc/postroom/'))
        .every((value) => mounted.includes(value) || (secrets.includes(value) && mounted.includes(dirname(value))));
    }),

  'a rollout takes no pod away before another is there, and pods spread over zones and nodes': (objects) =>
    unless(ofKind(ours(objects), 'Deployment'), (object) => {
      const { maxUnavailable, maxSurge } = object.spec.strategy?.rollingUpdate ?? {};
      const spread = podOf(object).topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
      return (
        maxUnavailable === 0 &&
        maxSurge === 1 &&
        spread?.join() === 'topology.kubernetes.io/zone,kubernetes.io/hostname'
      );
    }),

  'services get out to names, to whom they call and to their engines, by those ports and no others': (objects) =>
    unless(ofKind(objects, 'NetworkPolicy'), (object) => {
      const name = componentOf(object);
      const { engines, operates = [], logsIn = [] } = chartValues.services[name] ?? NOBODY;
      if (!serviceNames.includes(name)) return true;
      const out = (object.spec.egress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => port));
      const own = out.filter((port) => typeof port === 'number' && ![53, 8080, 50051, 50052].includes(port));
      return (
        out.filter((port) => port === 53).length === 2 &&
        out.includes(50051) === calleesOf(name, 'grpc').length > 0 &&
        out.includes(8080) === calleesOf(name, 'http').length > 0 &&
        out.includes(50052) === operates.length + logsIn.length > 0 &&
        // Each engine has a rule, of its own ports or of its pod's; a service may be given more.
        own.length + out.filter((port) => port === 'engine').length >= engines.length
      );
    }),

  'no policy opens the address where a cloud hands out credentials': (objects) =>
    unless(ofKind(objects, 'NetworkPolicy'), ({ spec }) =>
      (spec.egress ?? [])
        .flatMap(({ to }) => to ?? [])
        .every(({ ipBlock }) => ipBlock?.cidr !== '0.0.0.0/0' || ipBlock.except?.includes('169.254.0.0/16')),
    ),

  'a budget lets one pod at a time go where there can be two, and stands nowhere else': (objects) => {
    const budgets = ofKind(objects, 'PodDisruptionBudget')
      .filter(({ spec }) => spec.maxUnavailable === 1 && spec.unhealthyPodEvictionPolicy === 'AlwaysAllow')
      .map(({ spec }) =>
        ofKind(objects, 'Deployment').find(({ spec: of }) =>
          has(of.template?.metadata.labels, (spec.selector as Selector).matchLabels),
        ),
      )
      .map((kept) => (kept ? componentOf(kept) : 'nobody'));
    const many = ofKind(ours(objects), 'Deployment').filter(
      ({ spec }) => spec.replicas === undefined || spec.replicas > 1,
    );
    const wanted = many.map(componentOf);
    return [...wanted.filter((name) => !budgets.includes(name)), ...budgets.filter((name) => !wanted.includes(name))];
  },
} satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;
export const checkNames = Object.keys(checks) as CheckName[];
