import { dirname, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, productSources } from './sources.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Imports between the files of a package. Type imports count, because a reader must follow them, too. */
const files: Graph = new Map(
  productSources().map((source) => [
    source.path,
    new Set(
      importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(dirname(source.path), specifier)),
    ),
  ]),
);

/** The same between the folders of a package. Files directly in `src/` do not count. */
function foldersOf(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    const home = dirname(file);
    const others = [...imported].map(dirname).filter((folder) => folder !== home && !folder.endsWith('/src'));
    if (!home.endsWith('/src')) folders.set(home, new Set([...(folders.get(home) ?? []), ...others]));
  }
  return folders;
}

/** Returns every import cycle, with the files along it. */
function circlesIn(graph: Graph): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (node: string, way: readonly string[]): void => {
    const begin = way.indexOf(node);
    if (begin !== -1) circles.push([...way.slice(begin), node].join(' -> '));
    if (begin !== -1 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) follow(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) follow(node, []);
  return circles;
}

describe('imports go one way', () => {
  it('sees a circle where there is one', () => {
    const graph = new Map(
      Object.entries({ a: ['b'], b: ['c', 'd'], c: ['b'], d: [] }).map(([k, v]) => [k, new Set(v)]),
    );
    expect(circlesIn(graph)).toEqual(['b -> c -> b']);
    expect([...files.values()].reduce((sum, imported) => sum + imported.size, 0)).toBeGreaterThan(500);
  });

  it('no file imports itself by way of others, types included', () => {
    expect(circlesIn(files)).toEqual([]);
  });

  it('no folder of a package does', () => {
    expect(circlesIn(foldersOf(files))).toEqual([]);
  });
});
