import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { groupIdOf } from '@postroom/events/kafka-bus';
import { readArguments } from '../../services/operator/src/program/program.ts';
import { serviceFolders } from '../guards/sources.ts';
import { describeChart } from './describe-chart.ts';
import { CHART, CI_VALUES, closedServices, helmTemplate, readYaml, render, serviceNames, serves } from './helm.ts';
import { componentOf, environmentOf, ofKind, podOf, workloadOf, workloads } from './objects.ts';
import type { ChartValues, KubernetesObject } from './objects.ts';

const LONGEST_RELEASE = `mail-${'x'.repeat(48)}`;

describe('the values of the chart', () => {
  it('name every service of services/ and no other', () => {
    expect([...serviceNames].sort()).toEqual(serviceFolders().sort());
  });
});

describeChart('the chart', () => {
  it.each(CI_VALUES)('renders with %s', (file) => {
    const components = ofKind(render({ values: [file] }), 'Deployment').map(componentOf);
    expect(components).toEqual(expect.arrayContaining(serviceNames));
  });

  it('makes a Deployment of each service, and a Service of each that is called: headless where callers balance gRPC', () => {
    const objects = render();
    const heads = ofKind(objects, 'Service').map((object) => [componentOf(object), object.spec.clusterIP ?? 'one']);
    const wanted = serviceNames
      .filter((name) => serves(name) !== 'nothing')
      .map((name) => [name, serves(name) === 'http' ? 'one' : 'None']);
    expect(Object.fromEntries(heads)).toEqual(Object.fromEntries(wanted));
    expect(ofKind(objects, 'Deployment').map(componentOf).sort()).toEqual([...serviceNames].sort());
  });

  it('renders all services of another version, from its folder', () => {
    const chart = mkdtempSync(join(tmpdir(), 'postroom-other-chart-'));
    cpSync(CHART, chart, { recursive: true });
    const values = readYaml<ChartValues>(join(CHART, 'values.yaml'));
    values.services['later'] = { calls: [], engines: [], enabled: false };
    writeFileSync(join(chart, 'values.yaml'), JSON.stringify(values));
    const components = ofKind(render({ chart, fresh: true }), 'Deployment').map(componentOf);
    rmSync(chart, { recursive: true });
    expect(components.sort()).toEqual([...serviceNames, 'later'].sort());
  });

  it('makes no object of a service that is not enabled, and lets nobody reach it', () => {
    const objects = render({ asDelivered: true });
    const left = serviceNames.filter((name) => !closedServices.includes(name));
    expect(closedServices).not.toEqual([]);
    expect(ofKind(objects, 'Deployment').map(componentOf).sort()).toEqual([...left].sort());
    expect(objects.map(componentOf).filter((name) => closedServices.includes(name))).toEqual([]);
  });

  it.each([
    ['changes', 'changes', []],
    ['webhooks', 'changes', []],
    ['webhooks', 'webhook-delivery', ['services.changes.enabled=true']],
  ])('is refused with the feature %s and without the service %s', (feature, service, more) => {
    const { error } = helmTemplate({ asDelivered: true, set: [`features={${feature}}`, ...more] });
    expect(error).toContain(`features: ${feature} needs services.${service}.enabled=true`);
    expect(helmTemplate({ set: [`features={${feature}}`] }).error).toBe('');
  });

  it.each([
    ['services.mailbox-read.image.tag=9.9.9', 'mailbox-read'],
    ['services.mailbox-read.replicas=6', 'mailbox-read'],
    ['services.gateway.env.MAX_LAG=5s', 'gateway'],
    ['services.view-filter.resources.limits.memory=1Gi', 'view-filter'],
  ])('--set %s changes that service only', (assignment, service) => {
    expect(changed(render(), render({ set: [assignment] }))).toEqual([`Deployment ${service}`]);
  });

  it('keeps zeros, falses and nulls that a service lays over the defaults', () => {
    const objects = render({
      set: [
        'services.view-filter.replicas=0',
        'services.gateway.readOnlyRootFilesystem=false',
        'defaults.env.LOG_LEVEL=debug',
        'services.gateway.env.LOG_LEVEL=null',
      ],
    });
    expect(workloadOf(objects, 'view-filter').spec.replicas).toBe(0);
    expect(podOf(workloadOf(objects, 'gateway')).containers[0]?.securityContext.readOnlyRootFilesystem).toBe(false);
    expect(environmentOf(workloadOf(objects, 'gateway'))).not.toHaveProperty('LOG_LEVEL');
    expect(environmentOf(workloadOf(objects, 'workspace'))).toHaveProperty('LOG_LEVEL', 'debug');
  });

  it('gives short and different names to the longest of releases', () => {
    const dev = { values: ['ci/dev-engines-values.yaml'] };
    const [first, second] = [LONGEST_RELEASE, LONGEST_RELEASE.replace(/x$/, 'y')].map((release) =>
      render({ ...dev, release }).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    );
    expect(first?.filter((name) => name.split(' ')[1]!.length > 63)).toEqual([]);
    expect(first?.filter((name) => second?.includes(name))).toEqual([]);
  });
});

const KNOBS = [
  'defaults.podAnnotations.note=knob-annotation',
  'defaults.nodeSelector.disk=knob-node',
  'defaults.tolerations[0].key=knob-toleration',
  'defaults.affinity.nodeAffinity.note=knob-affinity',
  'defaults.image.registry=knob-registry',
  'defaults.image.tag=knob-tag',
  'defaults.image.pullPolicy=Always',
  'defaults.env.KNOB=knob-env',
  'defaults.secrets.KNOB_FILE.existingSecret=knob-secret,defaults.secrets.KNOB_FILE.key=k',
  'defaults.folders.KNOBS.existingSecret=knob-folder',
  'imagePullSecrets[0].name=knob-pull',
  'defaults.extraEgress[0].ports[0].port=4317',
];

describeChart('knobs of the defaults', () => {
  const objects = render({ set: KNOBS });

  it.each(serviceNames)('all land in %s', (name) => {
    const own = JSON.stringify(objects.filter((object) => componentOf(object) === name));
    const values = KNOBS.map((knob) => knob.split(',')[0]?.split('=')[1] ?? '');
    expect(values.filter((value) => !own.includes(value))).toEqual([]);
  });
});

describeChart('counts', () => {
  it('are absent where an autoscaler or kubectl owns them, and nowhere else', () => {
    const handed = ofKind(render({ set: ['services.view-filter.replicas=null'] }), 'Deployment');
    expect(handed.filter(({ spec }) => !('replicas' in spec)).map(componentOf)).toEqual(['view-filter']);
    const objects = render({ set: ['services.mailbox-read.autoscaling.enabled=true'] });
    const uncounted = ofKind(objects, 'Deployment').filter(({ spec }) => !('replicas' in spec));
    expect(uncounted.map(componentOf)).toEqual(['mailbox-read']);
    const [scaler] = ofKind(objects, 'HorizontalPodAutoscaler');
    expect(scaler?.spec.scaleTargetRef?.name).toBe(uncounted[0]?.metadata.name);
    expect(ofKind(render(), 'HorizontalPodAutoscaler')).toEqual([]);
  });

  it('follow the lag of what a consumer reads, under the prefix of the installation', () => {
    const scaled = ofKind(render({ values: ['ci/autoscaling-values.yaml'] }), 'ScaledObject');
    const triggers = scaled.flatMap(({ spec }) => spec.triggers ?? []).map(({ metadata }) => metadata);
    const read = ['classifier email.received', 'classifier backfill.requested', 'forwarder email.classified'];
    expect(triggers.map(({ topic, consumerGroup }) => `${consumerGroup} of ${topic}`)).toEqual(
      read
        .map((pair) => pair.split(' ') as [string, string])
        .map(([group, topic]) => `${groupIdOf('mail.', group, topic)} of mail.${topic}`),
    );
  });
});

describeChart('the edge', () => {
  it.each([
    ['ci/external-engines-values.yaml', 'https://mail.example.com/api/v1'],
    ['ci/gateway-api-values.yaml', 'https://mail.example.com/api/v1'],
    ['ci/default-values.yaml', undefined],
  ])('tells the gateway where clients find it, and that a proxy is in front (%s)', (file, url) => {
    const { PUBLIC_URL, TRUSTED_PROXIES } = environmentOf(workloadOf(render({ values: [file] }), 'gateway'));
    expect({ PUBLIC_URL, TRUSTED_PROXIES }).toEqual({ PUBLIC_URL: url, TRUSTED_PROXIES: url && '1' });
  });
});

describeChart('the features', () => {
  it('are closed, and open in the gateway and the app where they are named', () => {
    const featuresOf = (set: string[]) =>
      workloads(render({ set }))
        .map((object) => environmentOf(object).FEATURES)
        .filter(Boolean);
    expect(featuresOf([])).toEqual([]);
    expect(featuresOf(['features={changes,threads}'])).toEqual(['changes,threads', 'changes,threads']);
  });

  it('take the time limit of a Gateway off the path of streams', () => {
    const rulesOf = (set: string[]) => {
      const [route] = ofKind(render({ values: ['ci/gateway-api-values.yaml'], set }), 'HTTPRoute');
      const { rules = [] } = (route?.spec ?? {}) as { rules?: { timeouts?: object }[] };
      return rules.map(({ timeouts }) => timeouts);
    };
    expect(rulesOf([])).toEqual([undefined, undefined, undefined]);
    expect(rulesOf(['features={changes}'])).toEqual([
      { request: '0s', backendRequest: '0s' },
      undefined,
      undefined,
      { request: '60s', backendRequest: '60s' },
    ]);
  });
});

describeChart('the migration', () => {
  it('is a hook, a Job named after what it runs, or not there', () => {
    const jobs = (mode: string, tag = '1.0.0') =>
      ofKind(render({ set: [`migrations.mode=${mode}`, `defaults.image.tag=${tag}`] }), 'Job');
    expect(jobs('hook')[0]?.metadata.annotations).toHaveProperty(['helm.sh/hook'], 'pre-install,pre-upgrade');
    expect(jobs('job')[0]?.metadata.annotations).toBeUndefined();
    expect(jobs('job')[0]?.metadata.name).not.toBe(jobs('job', '1.0.1')[0]?.metadata.name);
    expect(jobs('disabled')).toEqual([]);
  });

  it('gives the command line what it knows', () => {
    const [job] = ofKind(render(), 'Job');
    const [program, file, ...args] = podOf(job!).containers[0]?.command ?? [];
    expect([program, file]).toEqual(['node', 'services/operator/dist/postroom.js']);
    expect(() => readArguments(args, () => undefined)).not.toThrow();
    expect(args[0]).toBe('migrate');
  });

  it('runs the image of the operator', () => {
    const objects = render({ set: ['services.operator.image.ref=there/operator@sha256:1'] });
    expect(
      workloads(objects)
        .filter((object) => podOf(object).containers[0]?.image === 'there/operator@sha256:1')
        .map(componentOf)
        .sort(),
    ).toEqual(['migrate', 'operator']);
  });
});

describeChart('what is watched', () => {
  it('is what the files of the chart say, word for word', () => {
    const objects = render({ values: ['ci/gateway-api-values.yaml'] });
    const [rules] = ofKind(objects, 'PrometheusRule');
    expect(rules?.spec).toEqual(readYaml(join(CHART, 'alerts.yaml')));
    const boards = ofKind(objects, 'ConfigMap').flatMap((object) => {
      expect(object.metadata.labels['grafana_dashboard']).toBe('1');
      return Object.entries((object as unknown as { data: Record<string, string> }).data);
    });
    expect(boards.map(([file, text]) => [file, JSON.parse(text)])).toEqual(
      readdirSync(join(CHART, 'dashboards')).map((file) => [
        file,
        JSON.parse(readFileSync(join(CHART, 'dashboards', file), 'utf8')),
      ]),
    );
  });
});

function changed(before: KubernetesObject[], after: KubernetesObject[]): string[] {
  const texts = new Set(before.map((object) => JSON.stringify(object)));
  return after
    .filter((object) => !texts.has(JSON.stringify(object)))
    .map((object) => `${object.kind} ${componentOf(object)}`);
}
