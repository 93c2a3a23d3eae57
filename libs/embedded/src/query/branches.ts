import type { Filter, Test } from '../filter/ast.ts';
import { boundsOf, intersect, isWithin } from './bounds.ts';

/** Conditions that all have to hold. A query is a list of these, any of which is enough. */
export type Branch = Filter[];

const MAX_BRANCHES = 64;

/** The query as alternatives. One that would have too many keeps its inner $or as a condition to be checked. */
export function branchesOf(filter: Filter): Branch[] {
  if (filter.kind === 'or') {
    const branches = filter.parts.flatMap(branchesOf);
    return branches.length <= MAX_BRANCHES ? branches : [[filter]];
  }
  if (filter.kind !== 'and') return [[filter]];
  let branches: Branch[] = [[]];
  for (const part of filter.parts) {
    const alternatives = branchesOf(part);
    const fits = branches.length * alternatives.length <= MAX_BRANCHES;
    branches = branches.flatMap((branch) =>
      fits ? alternatives.map((alternative) => [...branch, ...alternative]) : [[...branch, part]],
    );
  }
  return branches;
}

export function testsOn(branch: Branch, path: string): Test[] {
  return branch.flatMap((part) => (part.kind === 'test' && part.test.path.text === path ? [part.test] : []));
}

function impliesTest(branch: Branch, wanted: Test): boolean {
  const tests = testsOn(branch, wanted.path.text);
  const bounded = tests.flatMap((test) => boundsOf(test) ?? []);
  if (wanted.op === 'exists') {
    // A comparison with anything but null proves that there is a value.
    return tests.some((test) => test.op === 'exists' || boundsOf(test)?.exact === 'always');
  }
  const outer = boundsOf(wanted);
  if (!outer || bounded.length === 0) return tests.some((test) => JSON.stringify(test) === JSON.stringify(wanted));
  if (bounded.some(({ intervals }) => isWithin(intervals, outer.intervals))) return true;
  return isWithin(
    bounded.map(({ intervals }) => intervals).reduce((a, b) => intersect(a, b)),
    outer.intervals,
  );
}

/** Whether a branch can only hold for documents that a partial index contains. When in doubt, no. */
export function implies(branch: Branch, filter: Filter): boolean {
  if (filter.kind === 'and') return filter.parts.every((part) => implies(branch, part));
  if (filter.kind === 'or') return filter.parts.some((part) => implies(branch, part));
  return filter.kind === 'test' && impliesTest(branch, filter.test);
}
