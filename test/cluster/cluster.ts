import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { CHART, LEAST_VALUES } from '../chart/helm.ts';
import type { KubernetesObject } from '../chart/objects.ts';
import { skipAloud } from '../support/skips.ts';

/** A Helm of PATH. Both majors are tried, because they apply what they render differently. */
interface Helm {
  name: string;
  file: string;
  major: number;
}

interface Ran {
  ok: boolean;
  output: string;
  error: string;
}

// Installing into whatever cluster a reader is logged in to has to be asked for.
const isAsked = process.env.TEST_CLUSTER !== undefined && process.env.KUBECONFIG !== undefined;
if (!isAsked) skipAloud('the chart on a cluster; npm run test:cluster runs it on the one that KUBECONFIG names');

export const describeCluster = isAsked ? describe : describe.skip;
export const helms: Helm[] = isAsked
  ? findHelms()
  : [3, 4].map((major) => ({ name: `Helm ${major}`, file: 'helm', major }));
if (isAsked) process.stdout.write(`Cluster ${versionOf()} with ${helms.map(({ name }) => name).join(', ')}\n`);

export function run(file: string, args: readonly string[], input?: string): Ran {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', input, maxBuffer: 1 << 27 });
  return { ok: status === 0, output: stdout ?? '', error: stderr ?? '' };
}

/** Runs a command without which the test cannot continue, and throws when it fails. */
export function mustRun(file: string, args: readonly string[], input?: string): string {
  const { ok, output, error } = run(file, args, input);
  if (!ok) throw new Error(`${file} ${args.join(' ')}: ${error || output}`);
  return output;
}

/** A namespace that refuses every pod outside the restricted profile, and warns of what would make one. */
export function makeNamespace(name: string): string {
  mustRun('kubectl', ['delete', 'namespace', name, '--ignore-not-found', '--wait']);
  mustRun('kubectl', ['create', 'namespace', name]);
  const modes = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  mustRun('kubectl', ['label', 'namespace', name, ...modes]);
  return name;
}

export const removeNamespace = (name: string) =>
  void run('kubectl', ['delete', 'namespace', name, '--ignore-not-found', '--wait=false']);

/** One release of the chart, in one namespace, by one Helm. */
export function releaseOf({ file, major }: Helm, namespace: string) {
  const where = ['--namespace', namespace];
  const chartArgs = (set: readonly string[]) =>
    [...LEAST_VALUES, ...set].flatMap((assignment) => ['--set', assignment]);
  const change = (verb: string, set: readonly string[], more: readonly string[] = []) =>
    run(file, [verb, 'mail', CHART, ...where, '--wait', '--timeout', '60s', ...chartArgs(set), ...more]);
  return {
    install: (set: readonly string[] = []) => change('install', set),
    upgrade: (set: readonly string[] = [], more: readonly string[] = []) => change('upgrade', set, more),
    /** Undone by Helm itself when it does not come up. */
    upgradeOrUndo: (set: readonly string[]) =>
      change('upgrade', set, [major >= 4 ? '--rollback-on-failure' : '--atomic', '--timeout', '8s']),
    rollback: (revision: number) =>
      run(file, ['rollback', 'mail', String(revision), ...where, '--wait', '--timeout', '60s']),
    uninstall: () => run(file, ['uninstall', 'mail', ...where, '--wait', '--timeout', '60s']),
    status: () =>
      (JSON.parse(mustRun(file, ['status', 'mail', ...where, '-o', 'json'])) as { info: { status: string } }).info
        .status,
  };
}

export type Release = ReturnType<typeof releaseOf>;

interface Live extends KubernetesObject {
  status?: { availableReplicas?: number; conditions?: { type: string; status: string }[] };
}

export function liveObjects(namespace: string, kinds: string): Live[] {
  const found = mustRun('kubectl', ['get', kinds, '--namespace', namespace, '-o', 'json']);
  return (JSON.parse(found) as { items: Live[] }).items;
}

export function deployment(namespace: string, component: string): Live {
  return JSON.parse(
    mustRun('kubectl', ['get', 'deployment', `mail-postroom-${component}`, '-n', namespace, '-o', 'json']),
  ) as Live;
}

export const countOf = (namespace: string, component: string) => deployment(namespace, component).spec.replicas;

/** Looks again until it holds; what a cluster does it does in its own time. */
export async function until(what: string, holds: () => boolean, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`within ${seconds} s not: ${what}`);
    await pause(300);
  }
}

/** The fewest available pods of a service while something goes on: every state that the API tells of, none is missed. */
export async function fewestAvailable(
  namespace: string,
  component: string,
  during: () => Promise<void> | void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-watch-'));
  const seen = join(folder, 'available');
  const path = 'jsonpath={.status.availableReplicas}{"\\n"}';
  const args = ['get', 'deployment', `mail-postroom-${component}`, '-n', namespace, '--watch', '-o', path];
  const watch = spawn('kubectl', args, { stdio: ['ignore', openSync(seen, 'w'), 'ignore'] });
  const counts = () => readFileSync(seen, 'utf8').split('\n').slice(0, -1).map(Number);
  try {
    await until('the watch begins', () => counts().length > 0);
    await during();
    await pause(1_000);
    return Math.min(...counts());
  } finally {
    watch.kill();
    rmSync(folder, { recursive: true });
  }
}

function findHelms(): Helm[] {
  // npm puts its own helm, an old one, before everybody's.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const files = folders.flatMap((folder) => ['helm', 'helm4', 'helm3'].map((name) => join(folder, name)));
  const found = files.filter(existsSync).flatMap((file) => {
    const { ok, output } = run(file, ['version', '--template', '{{ .Version }}']);
    const major = Number(/v(\d+)/.exec(output)?.[1]);
    return ok ? [{ name: `Helm ${output.trim()}`, file, major }] : [];
  });
  const each = found.filter(({ major }, index) => found.findIndex((other) => other.major === major) === index);
  for (const major of [3, 4])
    if (!each.some((helm) => helm.major === major)) skipAloud(`the chart with Helm ${major}, which PATH does not have`);
  return each;
}

function versionOf(): string {
  const { serverVersion } = JSON.parse(mustRun('kubectl', ['version', '-o', 'json'])) as {
    serverVersion: { gitVersion: string };
  };
  return serverVersion.gitVersion;
}
