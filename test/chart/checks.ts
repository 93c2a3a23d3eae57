import { chartValues, serviceNames } from './helm.ts';
import { componentOf, environmentOf, ofKind, podOf, workloads } from './objects.ts';
import type { KubernetesObject } from './objects.ts';
import { reachable } from './reach.ts';

/** What must hold however the chart is set: each check names the objects that break it. */
export type Check = (objects: KubernetesObject[]) => string[];

const ENGINES = Object.keys(chartValues.engines);
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

  'every pod of ours runs as 10001, with a /tmp and a limit of memory': (objects) =>
    unless(
      ours(objects),
      (object) =>
        podOf(object).securityContext.runAsUser === 10001 &&
        podOf(object).containers.every(
          ({ volumeMounts, resources }) =>
            volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') && resources.limits?.memory,
        ),
    ),

  'every pod has longer to end than its process takes at most': (objects) =>
    unless(ofKind(ours(objects), 'Deployment'), (object) => {
      const { SHUTDOWN_DELAY, SHUTDOWN_GRACE } = environmentOf(object);
      return podOf(object).terminationGracePeriodSeconds > seconds(SHUTDOWN_DELAY) + seconds(SHUTDOWN_GRACE);
    }),

  'every count has one owner': (objects) => {
    const scalers = [...ofKind(objects, 'HorizontalPodAutoscaler'), ...ofKind(objects, 'ScaledObject')];
    const scaled = scalers.map(({ spec }) => spec.scaleTargetRef?.name ?? '');
    return [
      ...scaled.filter((name, index) => scaled.indexOf(name) !== index),
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
    const wanted = serviceNames.flatMap((name) =>
      (chartValues.services[name]?.calls ?? []).map((callee) => `${name} -> ${callee}`),
    );
    const open = reachable(objects, 'grpc');
    return [...wanted.filter((pair) => !open.includes(pair)), ...open.filter((pair) => !wanted.includes(pair))];
  },

  'no policy opens the address where a cloud hands out credentials': (objects) =>
    unless(ofKind(objects, 'NetworkPolicy'), ({ spec }) =>
      (spec.egress ?? [])
        .flatMap(({ to }) => to ?? [])
        .every(({ ipBlock }) => ipBlock?.cidr !== '0.0.0.0/0' || ipBlock.except?.includes('169.254.0.0/16')),
    ),

  'a budget stands where there can be two pods, and nowhere else': (objects) => {
    const budgets = ofKind(objects, 'PodDisruptionBudget').map(componentOf);
    const many = ofKind(ours(objects), 'Deployment').filter(
      ({ spec }) => spec.replicas === undefined || spec.replicas > 1,
    );
    const wanted = many.map(componentOf);
    return [...wanted.filter((name) => !budgets.includes(name)), ...budgets.filter((name) => !wanted.includes(name))];
  },
} satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;
export const checkNames = Object.keys(checks) as CheckName[];
