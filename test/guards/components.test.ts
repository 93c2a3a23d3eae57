import { dirname, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, productSources } from './sources.ts';

const sources = productSources().filter(({ home }) => home !== 'libs/proto');

interface Import {
  from: string;
  to: string;
}

const imports: Import[] = sources.flatMap((source) =>
  importsOf(source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: source.path, to: posix.join(dirname(source.path), specifier) })),
);

/** The component of a file: the folder under `src` of a service; undefined for a file of `src` itself. */
const componentOf = (path: string) => /^services\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0];
/** A service makes the stores of its components here, and hands them out. */
const makesStores = (path: string) => /\/src\/(service|stores)\.ts$/.test(path);

/** Each file of a component that files outside of it import. */
function entriesOf(all: readonly Import[]): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const component = componentOf(to);
    if (component === undefined || componentOf(from) === component) continue;
    if (makesStores(from) && to.endsWith('-store.ts')) continue;
    entries.set(component, new Set([...(entries.get(component) ?? []), to]));
  }
  return entries;
}

/** Folders that import each other, `src` itself included; types count, because they bind a reader too. */
function pairsIn(all: readonly Import[]): string[] {
  const arrows = new Set(all.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`));
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`);
  });
}

const ROOT_FILES = ['main', 'config', 'service', 'stores', 'deps', 'handlers'];
/** These services have other files beside them in `src`: how many, which may only become fewer. */
const OTHER_ROOT_FILES: Readonly<Record<string, number>> = {
  'services/operator': 2,
};
/** These components are entered by so many files, which may only become fewer. */
const MORE_ENTRIES: Readonly<Record<string, number>> = {
  'services/classifier/src/classify': 7,
  'services/classifier/src/model': 3,
  'services/classifier/src/pending': 5,
  'services/mailbox-sync/src/folders': 5,
  'services/mailbox-sync/src/imap': 7,
  'services/mailbox-sync/src/scanning': 4,
  'services/mailbox-sync/src/session': 3,
  'services/mailbox-sync/src/raw': 3,
  'services/mailbox-sync/src/leases': 6,
  'services/mailbox-sync/src/connecting': 2,
  'services/mailbox-write/src/parse': 3,
  'services/mailbox-write/src/reconcile': 3,
  'services/mailbox-write/src/bodies': 2,
  'services/mailbox-write/src/changes': 5,
  'services/mailbox-write/src/ingest': 6,
  'services/mailbox-write/src/quarantine': 2,
  'services/mailbox-write/src/threads': 4,
  'services/operator/src/command': 5,
  'services/operator/src/import': 3,
  'services/operator/src/mailbox': 3,
  'services/outbound-send/src/attach': 3,
  'services/outbound-send/src/compose': 8,
  'services/outbound-send/src/replies': 3,
  'services/outbound-send/src/sending': 7,
  'services/outbound-send/src/servers': 2,
  'services/outbound-send/src/smtp': 4,
  'services/outbound-send/src/stored-sends': 3,
};
describe('a component of a service', () => {
  it('is entered by one file', () => {
    const several = [...entriesOf(imports)].filter(([, files]) => files.size > 1);
    expect(Object.fromEntries(several.map(([component, files]) => [component, files.size]))).toEqual(MORE_ENTRIES);
  });

  it('is a folder: src itself holds main, config, service, stores, deps and handlers', () => {
    const others: Record<string, number> = {};
    for (const { path, home } of sources) {
      if (!home.startsWith('services/') || dirname(path) !== `${home}/src`) continue;
      if (!ROOT_FILES.includes(posix.basename(path, '.ts'))) others[home] = (others[home] ?? 0) + 1;
    }
    expect(others).toEqual(OTHER_ROOT_FILES);
  });

  it('sees two entries, and a pair of folders that import each other', () => {
    const [a, b, other] = ['services/x/src/a/a.ts', 'services/x/src/a/b.ts', 'services/x/src/b/c.ts'] as const;
    const arrows = [a, b].map((to) => ({ from: other, to }));
    expect(entriesOf(arrows).get('services/x/src/a')?.size).toBe(2);
    expect(pairsIn([...arrows, { from: a, to: other }])).toEqual(['services/x/src/a services/x/src/b']);
  });
});

describe('the folders of a package', () => {
  it('do not import each other', () => {
    expect(pairsIn(imports)).toEqual([]);
  });
});
