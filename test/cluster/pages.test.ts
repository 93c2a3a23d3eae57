import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CHART, LEAST_VALUES } from '../chart/helm.ts';
import { asksPods, linesOfPages } from '../chart/pages.ts';
import { ROOT } from '../guards/sources.ts';
import { describeCluster, helms, makeNamespace, mustRun, removeNamespace, run } from './cluster.ts';

const NAMESPACE = 'postroom-pages';
// scenarios/pages-in-pods tests the lines that need a process in a pod. `top` needs the metrics API.
const lines = linesOfPages().filter(
  ([, line]) => !asksPods([line]) && !installs(line) && (process.env.CLUSTER_LOAD || !line.includes(' top ')),
);
/** The page of the installation begins with a namespace and a chart, as this test does. */
function installs(line: string): boolean {
  return /^(?:kubectl create namespace|helm install) /.test(line);
}

describeCluster('what pages tell people to type', () => {
  const [helm] = helms;
  let node = '';

  beforeAll(() => {
    makeNamespace(NAMESPACE);
    mustRun(helm?.file ?? '', ['install', 'postroom', CHART, '--namespace', NAMESPACE, '--set', LEAST_VALUES.join()]);
    node = mustRun('kubectl', ['get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}']);
  });
  afterAll(() => {
    mustRun('kubectl', ['uncordon', node]);
    removeNamespace(NAMESPACE);
  });

  it.each(lines)('works (%s: %s)', (_page, line) => {
    const here = line
      .replaceAll('-n mail', `-n ${NAMESPACE}`)
      .replaceAll('node-1', node)
      .replace(/^helm/, helm?.file ?? 'helm');
    expect(run('bash', ['-c', `cd ${ROOT} && set -o pipefail && ${here}`])).toMatchObject({ ok: true });
  });
});
