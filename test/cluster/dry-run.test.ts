import { afterAll, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { CI_VALUES, helmTemplate, render } from '../chart/helm.ts';
import { describeCluster, makeNamespace, removeNamespace, run } from './cluster.ts';

const NAMESPACE = 'postroom-dry';

describeCluster('a real API takes', () => {
  if (process.env.TEST_CLUSTER) makeNamespace(NAMESPACE);
  afterAll(() => removeNamespace(NAMESPACE));
  const tried = (input: string) =>
    run('kubectl', ['create', '--dry-run=server', '--validate=strict', '-n', NAMESPACE, '-f', '-'], input);

  it.each(CI_VALUES)('every object of %s, strictly, and warns of nothing', (file) => {
    const { ok, error } = tried(helmTemplate({ values: [file], namespace: NAMESPACE }).output);
    // Only trials use the engines of the chart, whose images write beside their data; even they hold to the profile.
    expect({ ok, error }).toEqual({ ok: true, error: '' });
  });

  it.each([
    ['a misspelt field', (pod: Record<string, unknown>) => ({ ...pod, terminationGracePeriod: 1 }), 'unknown field'],
    [
      'what the restricted profile forbids',
      (pod: Record<string, unknown>) => ({ ...pod, hostNetwork: true }),
      'restricted',
    ],
  ])('and sees %s', (_what, spoil, named) => {
    const [object] = render({ namespace: NAMESPACE }).filter(({ kind }) => kind === 'Deployment');
    const template = object!.spec.template!;
    const broken = {
      ...object,
      spec: { ...object!.spec, template: { ...template, spec: spoil({ ...template.spec }) } },
    };
    expect(tried(stringify(broken)).error).toContain(named);
  });
});
