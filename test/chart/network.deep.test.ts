import { expect, it } from '@jest/globals';
import { describeChart } from './describe-chart.ts';
import { chartValues, render, serviceNames, serves } from './helm.ts';
import { componentOf, ofKind, workloadOf } from './objects.ts';
import { canReach, reachable } from './reach.ts';

const services = Object.entries(chartValues.services);
const serviceEngines = ['mongodb', 'redis', 'kafka'];
const sorted = (arrows: string[]) => arrows.sort();

describeChart('network policies', () => {
  const objects = render({ values: ['ci/dev-engines-values.yaml'] });

  it('let services reach exactly their engines, and the migration the database', () => {
    const isPod = (engine: string) => serviceEngines.includes(engine);
    const uses = services.flatMap(([name, { engines }]) =>
      engines.filter(isPod).map((engine) => `${name} -> ${engine}`),
    );
    expect(reachable(objects, 'engine')).toEqual(sorted([...uses, 'migrate -> mongodb']));
  });

  it('let operators and those who log in to mail servers through the operator port, and not the gateway', () => {
    const arrows = services.flatMap(([name, { operates = [], logsIn = [] }]) =>
      [...operates, ...logsIn].map((callee) => `${name} -> ${callee}`),
    );
    expect(sorted(arrows)).toEqual([
      'mailbox-sync -> workspace',
      'operator -> identity',
      'operator -> mailbox-write',
      'operator -> outbound-send',
      'operator -> webhook-delivery',
      'operator -> workspace',
      'outbound-send -> workspace',
    ]);
    expect(reachable(objects, 'operator')).toEqual(sorted(arrows));
  });

  it('keep the metrics port to those who are named', () => {
    expect(reachable(objects, 'admin')).toEqual([]);
  });

  it('close every pod that they do not open', () => {
    const stranger = structuredClone(workloadOf(objects, 'view-filter'));
    stranger.spec.template!.metadata.labels['app.kubernetes.io/component'] = 'stranger';
    const peers = serviceNames.filter((name) => serves(name) === 'grpc');
    expect(peers.filter((name) => canReach(objects, stranger, workloadOf(objects, name), 'grpc'))).toEqual([]);
  });

  it.each([
    ['outbound-send', [465, 587]],
    ['mailbox-sync', [143, 993]],
    ['classifier', [443]],
    ['view-filter', []],
  ])('let %s out to %j beside its own engines', (name, ports) => {
    const own = ofKind(render(), 'NetworkPolicy').find((policy) => componentOf(policy) === name);
    const out = (own?.spec.egress ?? []).flatMap((rule) => rule.ports ?? []).map(({ port }) => Number(port));
    expect(out.filter((port) => ![53, 27017, 6379, 9092, 50051, 50052].includes(port))).toEqual(ports);
  });

  it('are left to others when they are off', () => {
    expect(ofKind(render({ set: ['networkPolicy.enabled=false'] }), 'NetworkPolicy')).toEqual([]);
  });

  it('select each workload by its own policy', () => {
    const own = ofKind(objects, 'NetworkPolicy').map(componentOf);
    expect(own).toEqual(
      expect.arrayContaining([...serviceNames, 'default-deny', 'migrate', 'mongodb', 'redis', 'kafka']),
    );
  });
});
