import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  countOf,
  describeCluster,
  fewestAvailable,
  helms,
  liveObjects,
  makeNamespace,
  mustRun,
  releaseOf,
  removeNamespace,
  until,
} from './cluster.ts';
import { spawn } from 'node:child_process';

interface Pod {
  spec: { nodeName?: string };
}

describeCluster('a node that is drained', () => {
  const namespace = 'postroom-drain';
  const release = releaseOf(helms[0]!, namespace);
  let node = '';

  beforeAll(() => {
    makeNamespace(namespace);
    expect(release.install(['services.gateway.replicas=3'])).toMatchObject({ ok: true });
  });
  afterAll(() => {
    if (node) mustRun('kubectl', ['uncordon', node]);
    removeNamespace(namespace);
  });

  it('takes one pod of a service at a time, and the service has as many as before at its end', async () => {
    // All on one node, where the others do not take any, is what a drain has to be slow for.
    const pods = () =>
      (liveObjects(namespace, 'pods') as unknown as (Pod & { metadata: { labels: Record<string, string> } })[]).filter(
        ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'gateway',
      );
    node = pods()[0]?.spec.nodeName ?? '';
    const least = await fewestAvailable(namespace, 'gateway', () =>
      ran('kubectl', ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=60s']),
    );
    expect(least).toBeGreaterThanOrEqual(2);
    await until('three gateways again', () => pods().filter(({ spec }) => spec.nodeName !== node).length === 3);
    expect(pods().some(({ spec }) => spec.nodeName === node)).toBe(false);
    expect(countOf(namespace, 'gateway')).toBe(3);
  });
});

/** Beside the test, so that it can watch. */
function ran(file: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(file, args, { stdio: 'ignore' }).on('exit', (status) =>
      status === 0 ? resolve() : reject(new Error(`${file} ended with ${status}`)),
    );
  });
}
