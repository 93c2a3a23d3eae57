import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';
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
  run,
  until,
} from './cluster.ts';

const HANDED_OVER = ['services.view-filter.replicas=null'];
const AUTOSCALED = [
  ...HANDED_OVER,
  'services.mailbox-read.autoscaling.enabled=true',
  'services.mailbox-read.autoscaling.minReplicas=2',
  'services.mailbox-read.autoscaling.maxReplicas=7',
];
/** A command that makes every pod look as busy as its argument says, such as 300m; a real cluster has its own load. */
const load = process.env.CLUSTER_LOAD;
if (process.env.TEST_CLUSTER && !load)
  skipAloud('autoscalers that scale: CLUSTER_LOAD names no command that sets the load of pods');

describeCluster('counts', () => {
  describe.each(helms)('by $name', (helm) => {
    const namespace = `postroom-counts-${helm.major}`;
    const release = releaseOf(helm, namespace);
    const scale = (service: string, count: number) =>
      mustRun('kubectl', ['scale', '-n', namespace, `deployment/mail-postroom-${service}`, `--replicas=${count}`]);
    const fewestDuring = (set: readonly string[]) =>
      fewestAvailable(namespace, 'mailbox-read', () => {
        expect(release.upgrade(set)).toMatchObject({ ok: true });
      });

    beforeAll(() => {
      setLoad('70m');
      makeNamespace(namespace);
      expect(release.install()).toMatchObject({ ok: true });
    });
    afterAll(() => removeNamespace(namespace));

    it('that kubectl set are refused by Helm 4 and set back by Helm 3, as the upgrade notes say', () => {
      scale('view-filter', 3);
      const { ok, error } = release.upgrade();
      if (helm.major >= 4) {
        expect({ ok, error }).toMatchObject({ ok: false, error: expect.stringContaining('.spec.replicas') });
        scale('view-filter', 2);
        expect(release.upgrade()).toMatchObject({ ok: true });
      }
      expect(countOf(namespace, 'view-filter')).toBe(2);
    });

    it('that are handed over to kubectl stay as kubectl sets them', () => {
      expect(release.upgrade(HANDED_OVER)).toMatchObject({ ok: true });
      scale('view-filter', 3);
      expect(release.upgrade(HANDED_OVER)).toMatchObject({ ok: true });
      expect(release.upgrade([...HANDED_OVER, 'services.view-filter.env.LOG_LEVEL=debug'])).toMatchObject({ ok: true });
      expect(countOf(namespace, 'view-filter')).toBe(3);
    });

    it('stay as they are when an autoscaler takes them over, and at the upgrades after that', async () => {
      expect(release.upgrade([...HANDED_OVER, 'services.mailbox-read.replicas=4'])).toMatchObject({ ok: true });
      expect(await fewestDuring(AUTOSCALED)).toBe(4);
      expect(await fewestDuring([...AUTOSCALED, 'services.mailbox-read.podAnnotations.note=second'])).toBe(4);
      expect(await fewestDuring([...AUTOSCALED, 'services.mailbox-read.podAnnotations.note=third'])).toBe(4);
      expect(liveObjects(namespace, 'horizontalpodautoscalers')).toHaveLength(1);
    });

    (load ? it : it.skip)('follow the load once an autoscaler owns them', async () => {
      setLoad('300m');
      await until('seven pods under load', () => countOf(namespace, 'mailbox-read') === 7);
      expect(release.upgrade(AUTOSCALED)).toMatchObject({ ok: true });
      expect(countOf(namespace, 'mailbox-read')).toBe(7);
    });
  });
});

function setLoad(cpu: string): void {
  if (!load) return;
  const { ok, error } = run('sh', ['-c', `${load} "$1"`, 'load', cpu]);
  if (!ok) throw new Error(`${load}: ${error}`);
}
