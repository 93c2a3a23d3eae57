import { expect, it } from '@jest/globals';
import { isOwnedBy } from './workspace-owner.ts';

const LONG = new Date('2027-01-01T00:00:00Z');
const NOW = Date.parse('2026-01-01T00:00:00Z');
const pod = (_id: string, activeFrom = 0) => ({ _id, activeFrom: new Date(activeFrom), expiresAt: LONG });
const workspaces = Array.from({ length: 300 }, (_, n) => `wsp_${n}`);
const ownersOf = (workspaceId: string, pods: ReturnType<typeof pod>[], now: number) =>
  pods.map(({ _id }) => _id).filter((id) => isOwnedBy(id, workspaceId, pods, now));

it('each workspace has one owner, and the shares are about equal', () => {
  const pods = [pod('a'), pod('b'), pod('c')];
  const owners = workspaces.map((workspaceId) => ownersOf(workspaceId, pods, NOW));
  expect(owners.filter(({ length }) => length !== 1)).toEqual([]);
  for (const { _id } of pods) expect(owners.flat().filter((id) => id === _id).length).toBeGreaterThan(60);
});

it('a process that joins takes over its own share alone, after a second in which nobody has it', () => {
  const pods = [pod('a'), pod('b'), pod('c', NOW)];
  for (const workspaceId of workspaces) {
    const [before] = ownersOf(workspaceId, pods, NOW - 1);
    const during = ownersOf(workspaceId, pods, NOW + 500);
    const [after] = ownersOf(workspaceId, pods, NOW + 1_000);
    expect(after === 'c' ? during : [before]).toEqual(after === 'c' ? [] : during);
    expect([before, 'c']).toContain(after);
  }
});

it('the share of a process that is gone goes on at once', () => {
  const left = [pod('a'), pod('b')];
  expect(workspaces.filter((workspaceId) => ownersOf(workspaceId, left, NOW).length !== 1)).toEqual([]);
});
