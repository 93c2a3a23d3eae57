/** As much of the chart's values and of Kubernetes as the tests look at. */
export interface ServiceValues {
  enabled?: boolean;
  serves?: string;
  calls: string[];
  engines: string[];
  consumes?: { topic: string; group: string; partitions: number }[];
  operates?: string[];
  logsIn?: string[];
}

export interface ChartValues {
  defaults: { serves: string };
  services: Record<string, ServiceValues>;
  engines: Record<string, { existingSecret?: string }>;
}

export type Labels = Record<string, string>;
export interface Selector {
  matchLabels?: Labels;
}

interface Probe {
  httpGet?: { path: string; port: string | number };
  grpc?: { port: number; service: string };
}

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: object } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities?: { drop: string[] };
    privileged?: boolean;
  };
  volumeMounts?: { name: string; mountPath: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { limits?: { memory?: string } };
}

interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  hostNetwork?: boolean;
  enableServiceLinks?: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; fsGroup?: number; seccompProfile?: { type: string } };
  containers: Container[];
  topologySpreadConstraints?: { topologyKey: string }[];
  volumes?: {
    name: string;
    secret?: { secretName: string; defaultMode: number; optional: boolean };
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Rule {
  ports?: { port: number | string }[];
  from?: Peer[];
  to?: Peer[];
}

/** Of an Ingress or of an HTTPRoute: both lead to Services by name. */
interface Route {
  http?: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
  backendRefs?: { name: string; port: number }[];
}

export interface KubernetesObject {
  kind: string;
  metadata: { name: string; namespace?: string; labels: Labels; annotations?: Labels };
  spec: {
    replicas?: number;
    strategy?: { rollingUpdate?: { maxUnavailable: number; maxSurge: number } };
    maxUnavailable?: number;
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[] | null;
    egress?: Rule[] | null;
    unhealthyPodEvictionPolicy?: string;
    scaleTargetRef?: { name: string };
    maxReplicaCount?: number;
    triggers?: { metadata: Labels }[];
    /** A Service's own labels, or those of another kind's `matchLabels`. */
    selector?: Labels | Selector;
    endpoints?: { port: string; path: string; honorLabels: boolean }[];
    rules?: Route[];
    clusterIP?: string;
    ports?: { name: string; port: number; targetPort: string }[];
  };
}

const COMPONENT = 'app.kubernetes.io/component';

export const componentOf = (object: KubernetesObject): string => object.metadata.labels[COMPONENT] ?? '';

export const ofKind = (objects: KubernetesObject[], kind: string) => objects.filter((object) => object.kind === kind);

export function podOf(object: KubernetesObject): PodSpec {
  if (!object.spec.template) throw new Error(`${object.metadata.name} has no pods`);
  return object.spec.template.spec;
}

/** Everything that makes pods: Deployments and Jobs. */
export const workloads = (objects: KubernetesObject[]) => objects.filter(({ spec }) => spec?.template !== undefined);

export function workloadOf(objects: KubernetesObject[], component: string): KubernetesObject {
  const found = workloads(objects).find((object) => componentOf(object) === component);
  if (!found) throw new Error(`nothing runs ${component}`);
  return found;
}

/** The variables a pod's only container starts with; a reference to a Secret stands as its name in brackets. */
export function environmentOf(object: KubernetesObject): Record<string, string> {
  const [container] = podOf(object).containers;
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value ?? '<reference>']));
}
