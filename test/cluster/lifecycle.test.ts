import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closedServices, serviceNames } from '../chart/helm.ts';
import {
  countOf,
  deployment,
  describeCluster,
  fewestAvailable,
  helms,
  liveObjects,
  makeNamespace,
  releaseOf,
  removeNamespace,
  until,
} from './cluster.ts';

const KINDS =
  'deployments,services,networkpolicies,poddisruptionbudgets,serviceaccounts,jobs,pods,horizontalpodautoscalers';
const isOfRelease = ({ metadata }: { metadata: { labels?: Record<string, string> } }) =>
  metadata.labels?.['app.kubernetes.io/instance'] === 'mail';

describeCluster('a release in a namespace that enforces the restricted profile', () => {
  describe.each(helms)('by $name', (helm) => {
    const namespace = `postroom-life-${helm.major}`;
    const release = releaseOf(helm, namespace);
    beforeAll(() => void makeNamespace(namespace));
    afterAll(() => removeNamespace(namespace));

    it('is installed, the migration first, and every pod gets ready', () => {
      expect(release.install()).toMatchObject({ ok: true });
      const ready = liveObjects(namespace, 'deployments').filter(
        ({ spec, status }) => status?.availableReplicas === spec.replicas,
      );
      expect(ready).toHaveLength(serviceNames.length - closedServices.length);
    });

    it('scales one service alone', () => {
      const before = versions(namespace);
      expect(release.upgrade(['services.mailbox-read.replicas=4'])).toMatchObject({ ok: true });
      const after = versions(namespace);
      expect(serviceNames.filter((name) => before[name] !== after[name])).toEqual(['mailbox-read']);
      expect(countOf(namespace, 'mailbox-read')).toBe(4);
    });

    it('pins the image of one service alone', () => {
      const before = versions(namespace);
      const set = ['services.mailbox-read.replicas=4', 'services.view-filter.image.tag=0.0.9'];
      expect(release.upgrade(set)).toMatchObject({ ok: true });
      expect(serviceNames.filter((name) => before[name] !== versions(namespace)[name])).toEqual(['view-filter']);
    });

    it('goes back to what it was', () => {
      expect(release.rollback(1)).toMatchObject({ ok: true });
      expect(countOf(namespace, 'mailbox-read')).toBe(2);
    });

    it('undoes an upgrade to a broken image, and never has fewer pods than before', async () => {
      const least = await fewestAvailable(namespace, 'gateway', () => {
        expect(release.upgradeOrUndo(['services.gateway.image.tag=broken'])).toMatchObject({ ok: false });
      });
      expect(least).toBe(2);
      expect(deployment(namespace, 'gateway').spec.template?.spec.containers[0]?.image).not.toContain('broken');
      expect(release.status()).toBe('deployed');
    });

    it('lets nothing of a version run whose migration failed, and keeps the Job for its log', () => {
      const before = versions(namespace);
      const set = [
        'services.operator.image.tag=broken',
        'services.gateway.image.tag=0.0.9',
        'migrations.backoffLimit=0',
      ];
      expect(release.upgrade(set)).toMatchObject({ ok: false });
      expect(versions(namespace)).toEqual(before);
      const jobs = liveObjects(namespace, 'jobs');
      expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['mail-postroom-migrate']);
      expect(release.upgrade()).toMatchObject({ ok: true });
    });

    it('leaves nothing behind', async () => {
      expect(release.uninstall()).toMatchObject({ ok: true });
      // The cluster deletes dependent objects asynchronously.
      await until('nothing of the release is left', () => !liveObjects(namespace, KINDS).some(isOfRelease));
    });
  });
});

/** The generation of each Deployment. Kubernetes increments it with every change of the spec. */
function versions(namespace: string): Record<string, unknown> {
  return Object.fromEntries(
    liveObjects(namespace, 'deployments').map(({ metadata }) => [
      metadata.labels['app.kubernetes.io/component'],
      (metadata as { generation?: number }).generation,
    ]),
  );
}
