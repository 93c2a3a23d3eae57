import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countOf, describeCluster, type Helm, helms, makeNamespace, releaseOf, removeNamespace } from './cluster.ts';

const of = (major: number): Helm | undefined => helms.find((helm) => helm.major === major);
const [old, young] = [of(3), of(4)];

const describeBoth = old && young ? describeCluster : describe.skip;

describeBoth('a release that Helm 3 has made', () => {
  const namespace = 'postroom-handover';
  const before = releaseOf(old!, namespace);
  const after = releaseOf(young!, namespace);
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
