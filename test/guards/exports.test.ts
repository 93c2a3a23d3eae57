import { dirname, posix } from 'node:path';
import { expect, it } from '@jest/globals';
import { readRepositoryFile, repositoryFiles } from './sources.ts';

interface Manifest {
  name: string;
  exports?: Record<string, { '@postroom/source': string }>;
}

/** Its types are for programs outside of the repository. */
const PUBLISHED = 'libs/client/src/';

const texts = new Map(
  repositoryFiles('libs', 'services', 'deploy', 'test')
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
    .map((path) => [path, readRepositoryFile(path)]),
);

/** The file behind each name that a package exports, by package. */
const entries = new Map(
  repositoryFiles('libs', 'services', 'deploy')
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => {
      const { name, exports = {} } = JSON.parse(readRepositoryFile(path)) as Manifest;
      const sources = Object.entries(exports).map(([key, { '@postroom/source': file }]) => [key, file] as const);
      return [name, { home: dirname(path), sources: new Map(sources) }];
    }),
);

/** The compiler writes their names into the declarations of files that infer a type from the file they stand in. */
const NAMED_IN_INFERRED_TYPES = [
  'libs/mail-server/src/uid-ranges.ts: UidRange',
  'libs/mail-store/src/documents/email.ts: AuthenticationPart',
  'libs/mail-store/src/documents/email.ts: ClassificationPart',
  'libs/mail-store/src/schemas/schema.ts: Field',
  'libs/mail-store/src/schemas/schema.ts: OptionalField',
  'services/mailbox-sync/src/leases/on-demand-slot-store.ts: Entering',
  'services/mailbox-write/src/changes/pending-store.ts: Postponement',
  'services/mailbox-write/src/ingest/original-store.ts: Original',
  'services/outbound-send/src/stored-sends/send-store.ts: ForwardPeriod',
  'services/outbound-send/src/stored-sends/troubled-send-store.ts: ReportedSend',
];

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const IMPORT =
  /\b(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?)?(?:\w+\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*'([^']+)'/g;
const WHOLE_IMPORT = /\bimport\(\s*'([^']+)'\s*\)/g;

function fileOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(dirname(path), specifier);
  const [, name = '', rest = ''] = /^(@postroom\/[^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const { home = '', sources } = entries.get(name) ?? {};
  const file = sources?.get(rest === '' ? '.' : `./${rest}`) ?? sources?.get('./*')?.replace('*', rest) ?? '';
  return posix.join(home, file);
}

const namesIn = (list: string): string[] =>
  list.split(',').map((name) => /^\s*(?:type\s+)?(\w*)/.exec(name)?.[1] ?? '');

/** Each name that a file imports, as "path: name"; "path: *" where it takes all of them. */
function imported(): Set<string> {
  const names = new Set<string>();
  for (const [path, text] of texts) {
    for (const [, star, list = '', specifier = ''] of text.matchAll(IMPORT))
      for (const name of star ? ['*'] : namesIn(list)) names.add(`${fileOf(path, specifier)}: ${name}`);
    for (const [, specifier = ''] of text.matchAll(WHOLE_IMPORT)) names.add(`${fileOf(path, specifier)}: *`);
  }
  return names;
}

it('every exported name, types included, is imported by another file', () => {
  const taken = imported();
  const exported = [...texts].flatMap(([path, text]) =>
    path.endsWith('.mjs') || path.startsWith(PUBLISHED) || taken.has(`${path}: *`)
      ? []
      : [...text.matchAll(EXPORT)].map(([, name]) => `${path}: ${name}`),
  );
  expect(exported.length).toBeGreaterThan(2_000);
  expect(exported.filter((name) => !taken.has(name)).toSorted()).toEqual(NAMED_IN_INFERRED_TYPES);
});
