import { ofKind, podOf, workloads } from './objects.ts';
import type { KubernetesObject, Peer, Rule, Selector } from './objects.ts';

type Labels = Record<string, string>;

/** Whether network policies let one workload's pods open a connection to another's port, as Kubernetes reads them. */
export function canReach(
  objects: KubernetesObject[],
  from: KubernetesObject,
  to: KubernetesObject,
  portName: string,
): boolean {
  const port = podOf(to).containers[0]?.ports?.find(({ name }) => name === portName);
  if (!port) throw new Error(`${to.metadata.name} has no port ${portName}`);
  const names = [port.name, port.containerPort];
  return (
    allows(objects, labelsOf(from), 'Egress', (rule) => rule.to, labelsOf(to), names) &&
    allows(objects, labelsOf(to), 'Ingress', (rule) => rule.from, labelsOf(from), names)
  );
}

/** Every pair `caller -> callee` that the policies let through, among all workloads with a port of that name. */
export function reachable(objects: KubernetesObject[], portName: string): string[] {
  const all = workloads(objects);
  const callees = all.filter((object) => podOf(object).containers[0]?.ports?.some(({ name }) => name === portName));
  return callees
    .flatMap((to) =>
      all.filter((from) => from !== to && canReach(objects, from, to, portName)).map((from) => arrow(from, to)),
    )
    .sort();
}

const component = 'app.kubernetes.io/component';
const arrow = (from: KubernetesObject, to: KubernetesObject) =>
  `${labelsOf(from)[component]} -> ${labelsOf(to)[component]}`;
const labelsOf = (object: KubernetesObject): Labels => object.spec.template?.metadata.labels ?? {};

function allows(
  objects: KubernetesObject[],
  subject: Labels,
  direction: 'Ingress' | 'Egress',
  peersOf: (rule: Rule) => Peer[] | undefined,
  other: Labels,
  port: (string | number)[],
): boolean {
  const policies = ofKind(objects, 'NetworkPolicy').filter(
    ({ spec }) => spec.policyTypes?.includes(direction) && matches(spec.podSelector, subject),
  );
  // Kubernetes lets everything through to a pod that no policy selects.
  if (policies.length === 0) return true;
  return policies
    .flatMap(({ spec }) => (direction === 'Ingress' ? spec.ingress : spec.egress) ?? [])
    .some((rule) => opens(rule, port) && admits(peersOf(rule), other));
}

const opens = (rule: Rule, port: (string | number)[]) =>
  !rule.ports || rule.ports.some((open) => port.includes(open.port));
// A block of addresses is not counted here: these peers are pods.
const admits = (peers: Peer[] | undefined, other: Labels) =>
  !peers || peers.some((peer) => (peer.podSelector || peer.namespaceSelector) && matches(peer.podSelector, other));

function matches(selector: Selector | undefined, labels: Labels): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
}
