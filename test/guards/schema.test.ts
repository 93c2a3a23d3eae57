import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openCollections } from '@postroom/mail-store/collections';
import { indexes, type IndexSpec } from '@postroom/mail-store/indexes';
import { FIRST_VERSION, steps } from '@postroom/mail-store/migrations/steps';
import { SCHEMA_VERSION } from '@postroom/mail-store/schema-version';
import { storedName } from '@postroom/mail-store/stored-names';
import { createConnection, type Schema } from 'mongoose';
import { repositoryFiles, ROOT } from './sources.ts';

const GOLDEN = join(ROOT, 'libs/mail-store/src/migrations/schema.golden.txt');
const HOW = `
Stored documents and indexes are not what schema.golden.txt says.
1. Add a step: libs/mail-store/src/migrations/NNNN-what-changes.ts, its line in steps.ts, and its number as SCHEMA_VERSION in schema-version.ts (see CONTRIBUTING.md).
2. Write the golden page anew: UPDATE_GOLDEN=1 npx jest test/guards/schema
`;

/** Small collections that stay on one shard, because they are searched before a workspace is known. */
const NOT_SHARDED = {
  'apiKeys index key_hash': 'a key names its workspace',
  'invitations index secret': 'a link names its workspace',
  'oidcAccounts index person_issuer': 'a person can belong to several workspaces',
  'people index email': 'a person can belong to several workspaces',
};

const pathsOf = (schema: Schema, before: string): string[] =>
  Object.entries(schema.paths).flatMap(([name, type]) => {
    const { instance, isRequired, defaultValue, schema: inner, embeddedSchemaType } = type as unknown as SchemaPath;
    const [path, kind] = [`${before}.${name}`, embeddedSchemaType ? `[${embeddedSchemaType.instance}]` : instance];
    const absent = isRequired ? ' required' : defaultValue === null ? ' or null' : '';
    return [`${path} ${kind}${absent}`, ...(inner ? pathsOf(inner, path) : [])];
  });

interface SchemaPath {
  instance: string;
  isRequired?: boolean;
  defaultValue?: unknown;
  schema?: Schema;
  embeddedSchemaType?: { instance: string };
}

const indexLine = (collection: string, { name, key, ...options }: IndexSpec) =>
  `${collection} index ${name}: ${JSON.stringify({ key, ...options })}`;

const models = openCollections(createConnection());
const body = Object.entries(models)
  .toSorted(([one], [other]) => (storedName(one) < storedName(other) ? -1 : 1))
  .flatMap(([name, { schema }]) => [
    ...pathsOf(schema as Schema, storedName(name)),
    ...(indexes[name as keyof typeof models] ?? []).map((spec) => indexLine(storedName(name), spec)),
  ]);
const [heading = '', ...known] = readFileSync(GOLDEN, 'utf8').trimEnd().split('\n');
const knownVersion = Number(heading.replace('version ', ''));

describe('the schema', () => {
  it('has the version of the last migration step', () => {
    expect({ SCHEMA_VERSION }).toEqual({ SCHEMA_VERSION: FIRST_VERSION + steps.length - 1 });
  });

  it('changes with a migration step, and with no other', () => {
    const isChanged = known.join('\n') !== body.join('\n');
    if (process.env.UPDATE_GOLDEN && (!isChanged || SCHEMA_VERSION > knownVersion))
      return writeFileSync(GOLDEN, [`version ${SCHEMA_VERSION}`, ...body, ''].join('\n'));
    const difference = {
      version: SCHEMA_VERSION === knownVersion ? [] : [`${SCHEMA_VERSION} and not ${knownVersion}`],
      gone: known.filter((line) => !body.includes(line)),
      new: body.filter((line) => !known.includes(line)),
    };
    if (isChanged) expect({ HOW, ...difference }).toEqual({ HOW, version: [], gone: [], new: [] });
    expect(difference).toEqual({ version: [], gone: [], new: [] });
  });

  it('has the workspace first in every unique index, so that collections can be sharded by it', () => {
    const first = body.flatMap((line) => {
      const [, index = '', key = ''] = /^(\w+ index \w+): \{"key":\{"(\w+)".*"unique":true/.exec(line) ?? [];
      return index === '' || key === 'workspaceId' ? [] : [index];
    });
    expect(first.toSorted()).toEqual(Object.keys(NOT_SHARDED).toSorted());
  });

  it('loses no index of its list that no step drops', () => {
    const lost = known
      .flatMap((line) => /^(\w+) index ([\w~]+):/.exec(line)?.slice(1, 3).join('.') ?? [])
      .filter((index) => !body.some((line) => line.startsWith(`${index.replace('.', ' index ')}:`)));
    const dropped = steps.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.kind === 'dropIndexes' ? part.names.map((name) => `${part.collection}.${name}`) : [],
      ),
    );
    expect(lost.filter((index) => !dropped.includes(index))).toEqual([]);
  });

  it('has its steps in files that are numbered without a gap, each in its place', () => {
    const files = repositoryFiles('libs/mail-store/src/migrations')
      .map((path) => /\/(\d{4})-[a-z0-9-]+\.ts$/.exec(path)?.[1])
      .filter((number) => number !== undefined);
    expect(files.toSorted()).toEqual(steps.map((_, position) => String(FIRST_VERSION + position).padStart(4, '0')));
    const list = repositoryFiles('libs/mail-store/src/migrations').find((path) => path.endsWith('/steps.ts')) ?? '';
    const imported = [...readFileSync(join(ROOT, list), 'utf8').matchAll(/import \{ (\w+) \} from '\.\/(\d{4})-/g)];
    const inOrder = imported.toSorted(([, , one = ''], [, , other = '']) => (one < other ? -1 : 1));
    const listed = /= \[([^\]]*)\]/.exec(readFileSync(join(ROOT, list), 'utf8'))?.[1] ?? '';
    expect(
      listed
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ).toEqual(inOrder.map(([, name]) => name));
  });
});
