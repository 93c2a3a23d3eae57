import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countOf, describeCluster, helms, makeNamespace, type Release, releaseOf, removeNamespace } from './cluster.ts';

const both = [3, 4].flatMap((major) => helms.filter((helm) => helm.major === major));
const describeBoth = both.length === 2 ? describeCluster : describe.skip;

describeBoth('a release that Helm 3 has made', () => {
  const namespace = 'postroom-handover';
  const [before, after] = both.map((helm) => releaseOf(helm, namespace)) as [Release, Release];
  beforeAll(() => void makeNamespace(namespace));
  afterAll(() => removeNamespace(namespace));

  it('goes on under Helm 4', () => {
    expect(before.install()).toMatchObject({ ok: true });
    expect(after.upgrade(['services.gateway.replicas=3'])).toMatchObject({ ok: true });
    expect(countOf(namespace, 'gateway')).toBe(3);
  });

  it('moves to server-side apply at one upgrade, and is rolled back across it', () => {
    const moved = ['--server-side=true', '--force-conflicts'];
    expect(after.upgrade(['services.gateway.replicas=4'], moved)).toMatchObject({ ok: true });
    expect(after.upgrade(['services.gateway.replicas=5'])).toMatchObject({ ok: true });
    expect(after.rollback(1)).toMatchObject({ ok: true });
    expect(countOf(namespace, 'gateway')).toBe(2);
  });

  it('is taken away by Helm 4', () => {
    expect(after.uninstall()).toMatchObject({ ok: true });
  });
});
