import { expect, it } from '@jest/globals';
import { chartValues, describeChart, render, serviceNames, serves } from './helm.ts';
import { componentOf, ofKind, workloadOf } from './objects.ts';
import { canReach, reachable } from './reach.ts';

const services = Object.entries(chartValues.services);
const sorted = (arrows: string[]) => arrows.sort();

describeChart('network policies', () => {
  const objects = render({ values: ['ci/dev-engines-values.yaml'] });

  it('let services call each other exactly as the graph says', () => {
    expect(reachable(objects, 'grpc')).toEqual(
      sorted(services.flatMap(([name, { calls }]) => calls.map((callee) => `${name} -> ${callee}`))),
    );
  });

  it('let services reach exactly their engines, and the migration the database', () => {
    const uses = services.flatMap(([name, { engines }]) => engines.map((engine) => `${name} -> ${engine}`));
    expect(reachable(objects, 'engine')).toEqual(sorted([...uses, 'migrate -> mongodb']));
  });

  it('let operators and those who log in to mail servers through the second door, and not the gateway', () => {
    const arrows = services.flatMap(([name, { operates = [], logsIn = [] }]) =>
      [...operates, ...logsIn].map((callee) => `${name} -> ${callee}`),
    );
    expect(sorted(arrows)).toEqual([
      'operator -> mailbox-write',
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

  it('open no address of the cloud that hands out credentials', () => {
    const blocks = ofKind(render(), 'NetworkPolicy')
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to }) => to ?? [])
      .flatMap(({ ipBlock }) => (ipBlock?.cidr === '0.0.0.0/0' ? [ipBlock.except] : []));
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter((except) => !except?.includes('169.254.0.0/16'))).toEqual([]);
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
