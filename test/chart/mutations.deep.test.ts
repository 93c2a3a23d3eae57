import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { checkNames, checks, type CheckName } from './checks.ts';
import { describeChart } from './describe-chart.ts';
import { CHART, render } from './helm.ts';

interface Mutation {
  check: CheckName;
  what: string;
  file: string;
  from: string;
  to: string;
  values?: string;
}

/** Faults for each check, so that a check that has gone blind is seen: the chart is broken on purpose, and must be caught. */
const mutations: Mutation[] = [
  {
    check: 'every pod holds to the restricted profile',
    what: 'capabilities are kept',
    file: 'templates/_pod.tpl',
    from: 'capabilities: { drop: [ALL] }',
    to: '',
  },
  {
    check:
      'every pod of ours runs as 10001, who may read its files, with a /tmp, a limit of memory and no variables but its own',
    what: 'another user',
    file: 'templates/_pod.tpl',
    from: 'runAsUser: 10001',
    to: 'runAsUser: 1000',
  },
  {
    check:
      'every pod of ours runs as 10001, who may read its files, with a /tmp, a limit of memory and no variables but its own',
    what: 'secrets that only root may read',
    file: 'templates/_pod.tpl',
    from: 'fsGroup: 10001',
    to: '',
  },
  {
    check:
      'every pod of ours runs as 10001, who may read its files, with a /tmp, a limit of memory and no variables but its own',
    what: "variables of the namespace's Services",
    file: 'templates/migrate.yaml',
    from: 'enableServiceLinks: false',
    to: '',
  },
  {
    check: 'no pod of ours writes beside /tmp, but in a trial',
    what: 'a root that is written to',
    file: 'templates/_pod.tpl',
    from: 'readOnlyRootFilesystem: {{ . }}',
    to: 'readOnlyRootFilesystem: false',
  },
  {
    check: 'every pod has longer to end than its process takes at most',
    what: 'the delay is not counted',
    file: 'templates/deployment.yaml',
    from: 'add $settings.shutdown.delaySeconds $settings.shutdown.graceSeconds 5',
    to: 'add $settings.shutdown.graceSeconds 5',
  },
  {
    check: 'every count has one owner',
    what: 'the count is written beside the autoscaler',
    file: 'templates/_settings.tpl',
    from: '{{- if or $isScaled (kindIs',
    to: '{{- if or false (kindIs',
    values: 'ci/autoscaling-values.yaml',
  },
  {
    check: 'every count has one owner',
    what: 'an autoscaler of nobody',
    file: 'templates/scaling.yaml',
    from: 'kind: Deployment, name: {{ printf "%s-%s" (include "postroom.fullname" $) $name | quote }}',
    to: 'kind: Deployment, name: {{ $name | quote }}',
    values: 'ci/autoscaling-values.yaml',
  },
  {
    check: 'every count has one owner',
    what: 'a scaler by lag of nobody',
    file: 'templates/scaling.yaml',
    from: 'scaleTargetRef: { name: {{ printf "%s-%s" (include "postroom.fullname" $) $name | quote }} }',
    to: 'scaleTargetRef: { name: {{ $name | quote }} }',
    values: 'ci/autoscaling-values.yaml',
  },
  {
    check: 'lag is text, and never asks for more pods than a topic has partitions',
    what: 'a number for the lag',
    file: 'templates/scaling.yaml',
    from: 'lagThreshold: {{ $scaling.lagPerReplica | quote }}',
    to: 'lagThreshold: {{ $scaling.lagPerReplica }}',
    values: 'ci/autoscaling-values.yaml',
  },
  {
    check: 'no Secret is made, and none stands in an object',
    what: 'a password in an address',
    file: 'templates/_pod.tpl',
    from: 'redis://%s-redis:6379',
    to: 'redis://user:password@%s-redis:6379',
    values: 'ci/dev-engines-values.yaml',
  },
  {
    check: 'names are short, of small letters, and text whatever they look like',
    what: 'a namespace without quotes',
    file: 'templates/_names.tpl',
    from: 'namespace: {{ (index . 0).Release.Namespace | quote }}',
    to: 'namespace: {{ (index . 0).Release.Namespace }}',
  },
  {
    check: 'services call each other exactly as the graph says, where policies stand',
    what: 'nobody is let out to whom it calls',
    file: 'templates/networkpolicy.yaml',
    from: '{{- with $callees }}',
    to: '{{- with false }}',
    values: 'ci/gateway-api-values.yaml',
  },
  {
    check: 'every pod is probed on ports it has, alive without its engines and ready only with them',
    what: 'a pod that its engines can kill',
    file: 'templates/deployment.yaml',
    from: 'path: /livez',
    to: 'path: /readyz',
  },
  {
    check: 'every pod is probed on ports it has, alive without its engines and ready only with them',
    what: 'no look at whether it is ready',
    file: 'templates/deployment.yaml',
    from: 'readinessProbe:',
    to: 'otherProbe:',
  },
  {
    check: 'every Service stands before pods that have its ports',
    what: 'a port of another name',
    file: 'templates/service.yaml',
    from: 'targetPort: grpc',
    to: 'targetPort: rpc',
  },
  {
    check: 'whoever comes from outside finds the gateway: an Ingress, a route, a scraper and their policies',
    what: 'a route to nobody',
    file: 'templates/httproute.yaml',
    from: 'port: 80',
    to: 'port: 8080',
    values: 'ci/gateway-api-values.yaml',
  },
  {
    check: 'whoever comes from outside finds the gateway: an Ingress, a route, a scraper and their policies',
    what: 'an Ingress to nobody',
    file: 'templates/ingress.yaml',
    from: 'port: { name: http }',
    to: 'port: { name: web }',
    values: 'ci/external-engines-values.yaml',
  },
  {
    check: 'whoever comes from outside finds the gateway: an Ingress, a route, a scraper and their policies',
    what: 'a scraper that finds no page',
    file: 'templates/monitoring.yaml',
    from: 'port: admin\n',
    to: 'port: metrics\n',
    values: 'ci/gateway-api-values.yaml',
  },
  {
    check: 'whoever comes from outside finds the gateway: an Ingress, a route, a scraper and their policies',
    what: 'a policy with another name of the port',
    file: 'templates/networkpolicy.yaml',
    from: 'port: http,',
    to: 'port: web,',
  },
  {
    check: 'every address that a pod is given is a Service of this release',
    what: 'addresses without the name of the release',
    file: 'templates/_pod.tpl',
    from: '(printf "%s-%s:%s" $fullname $callee $port)',
    to: '(printf "postroom-%s:%s" $callee $port)',
  },
  {
    check: 'every file that a pod is told of is mounted',
    what: 'secrets beside their place',
    file: 'templates/deployment.yaml',
    from: 'mountPath: /etc/postroom/secrets,',
    to: 'mountPath: /etc/secrets,',
  },
  {
    check: 'a rollout takes no pod away before another is there, and pods spread over zones and nodes',
    what: 'as many away as Kubernetes likes',
    file: 'templates/deployment.yaml',
    from: 'maxUnavailable: 0',
    to: 'maxUnavailable: 25%',
  },
  {
    check: 'services get out to names, to whom they call and to their engines, by those ports and no others',
    what: 'no way to their engines',
    file: 'templates/networkpolicy.yaml',
    from: '{{- range $settings.engines }}',
    to: '{{- range list }}',
  },
  {
    check: 'services get out to names, to whom they call and to their engines, by those ports and no others',
    what: 'no names over TCP',
    file: 'templates/_network.tpl',
    from: '- { port: 53, protocol: TCP }',
    to: '',
  },
  {
    check: 'services get out to names, to whom they call and to their engines, by those ports and no others',
    what: 'no way to the operator port',
    file: 'templates/networkpolicy.yaml',
    from: 'port: 50052, protocol: TCP',
    to: 'port: 50053, protocol: TCP',
  },
  {
    check: 'no policy opens the address where a cloud hands out credentials',
    what: 'any address at all',
    file: 'templates/_network.tpl',
    from: '{ cidr: 0.0.0.0/0, except: [169.254.0.0/16] }',
    to: '{ cidr: 0.0.0.0/0 }',
  },
  {
    check: 'a budget lets one pod at a time go where there can be two, and stands nowhere else',
    what: 'a budget for one pod',
    file: 'templates/scaling.yaml',
    from: '$scaling.enabled)) 1 }}',
    to: '$scaling.enabled)) 0 }}',
  },
  {
    check: 'a budget lets one pod at a time go where there can be two, and stands nowhere else',
    what: 'a budget that keeps every pod',
    file: 'templates/scaling.yaml',
    from: 'maxUnavailable: 1',
    to: 'maxUnavailable: 0',
  },
  {
    check: 'a budget lets one pod at a time go where there can be two, and stands nowhere else',
    what: "a budget of other services' pods",
    file: 'templates/scaling.yaml',
    from: 'matchLabels: {{- include "postroom.selectorLabels" (list $ $name) | nindent 6 }}',
    to: 'matchLabels: {{- include "postroom.selectorLabels" (list $ "") | nindent 6 }}',
  },
];

describeChart('a chart that is broken on purpose', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-chart-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => cpSync(CHART, folder, { recursive: true }));

  it.each(mutations)('is caught: $what', ({ check, file, from, to, values }) => {
    const path = join(folder, file);
    const sound = readFileSync(path, 'utf8');
    const broken = sound.replaceAll(from, to);
    expect(broken).not.toBe(sound);
    writeFileSync(path, broken);
    const faults = checks[check](
      render({ chart: folder, values: values ? [values] : [], release: 'y', namespace: 'on', fresh: true }),
    );
    expect(faults).not.toEqual([]);
  });

  it('shows every check red', () => {
    expect([...new Set(mutations.map(({ check }) => check))]).toEqual(checkNames);
  });
});
