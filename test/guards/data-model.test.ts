import { join } from 'node:path';
import { it } from '@jest/globals';
import { type CollectionName, collectionNames, writerOf } from '@postroom/mail-store/collections';
import { storedName } from '@postroom/mail-store/stored-names';
import { expectGolden } from './golden.ts';
import { markdownTable } from './markdown-table.ts';
import { readRepositoryFile, repositoryFiles, ROOT } from './sources.ts';

const PAGE = 'docs/data-model.md';
const STORE = 'libs/mail-store/src';
const HEAD = `# Data model

Written from the schemas and their comments (\`UPDATE_GOLDEN=1 npx jest test/guards/data-model\`). One service writes each collection; others may read it. A collection with an index that expires drops old documents by itself.
`;

interface Shape {
  meaning: string;
  fields: Map<string, string>;
}

const COMMENT = String.raw`(?:\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\s*)?`;
const plain = (comment = '') =>
  comment
    .replace(/\s*\n\s*\* ?/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

/** The schemas by name, each with the comment of its documents and those of its fields. */
const shapes = new Map<string, Shape>(
  repositoryFiles(`${STORE}/documents`).flatMap((path) =>
    [
      ...readRepositoryFile(path).matchAll(
        new RegExp(
          String.raw`${COMMENT}(?:export interface .*\n)?export const (\w+Schema) = schema\(\{([\s\S]*?)\}\);\n`,
          'g',
        ),
      ),
    ].map(([, comment, name = '', body = '']): [string, Shape] => {
      const fields = [...body.matchAll(new RegExp(String.raw`${COMMENT}^  (\w+):`, 'gm'))];
      return [
        name,
        { meaning: plain(comment), fields: new Map(fields.map(([, said, field = '']) => [field, plain(said)])) },
      ];
    }),
  ),
);
const schemaOf = new Map(
  [...readRepositoryFile(`${STORE}/collections.ts`).matchAll(/^  (\w+): collection\([^,]+, (\w+)\)/gm)].map(
    ([, collection = '', schema = '']) => [collection, schema],
  ),
);
const stored = readRepositoryFile(`${STORE}/migrations/schema.golden.txt`).split('\n');

function section(collection: CollectionName): string {
  const name = storedName(collection);
  const { meaning = '', fields } = shapes.get(schemaOf.get(collection) ?? '') ?? {};
  const fieldRows = stored.flatMap((line) => {
    const [, path = '', kind = ''] = new RegExp(String.raw`^${name}\.([\w.$]+) (.*)$`).exec(line) ?? [];
    return path === '' ? [] : [[`\`${path}\``, kind, fields?.get(path) ?? '']];
  });
  const indexRows = stored.flatMap((line) => {
    const [, index = '', options = '{}'] = new RegExp(String.raw`^${name} index ([\w~]+): (.*)$`).exec(line) ?? [];
    return index === '' ? [] : [indexRow(index, JSON.parse(options) as IndexOptions)];
  });
  return [
    `## \`${name}\`\n`,
    `${[meaning, `Written by ${writerOf(collection)}.`].filter(Boolean).join(' ')}\n`,
    markdownTable(['field', 'type', 'meaning'], fieldRows),
    ...(indexRows.length > 0 ? [markdownTable(['index', 'keys', 'kind'], indexRows)] : []),
  ].join('\n');
}

interface IndexOptions {
  key: Record<string, number>;
  unique?: boolean;
  expires?: boolean;
  only?: object;
}

function indexRow(index: string, { key, unique, expires, only }: IndexOptions): string[] {
  const kinds = [unique && 'unique', expires && 'expires', only && 'partial'];
  const keys = Object.entries(key).map(([field, direction]) => (direction === -1 ? `${field} (descending)` : field));
  return [`\`${index}\``, keys.join(', '), kinds.filter(Boolean).join(', ')];
}

it('docs/data-model.md has every collection with its fields and indexes', () => {
  const sections = collectionNames.toSorted().map(section);
  expectGolden(join(ROOT, PAGE), [HEAD, ...sections].join('\n'), 'test/guards/data-model');
});
