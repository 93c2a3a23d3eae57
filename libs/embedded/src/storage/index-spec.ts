import { type RawValue, Type, elements } from '../bson/raw.ts';
import { decodeDocument, documentOf, toNumber, toText } from '../bson/value.ts';
import { CommandError, notSupported } from '../protocol/errors.ts';

/** The definition of an index: `createIndexes` receives it and `listIndexes` returns it. */
export interface IndexDefinition {
  name: string;
  key: [path: string, direction: 1 | -1][];
  unique: boolean;
  /** The filter of a partial index, encoded. */
  partial: Buffer | undefined;
  expireAfterSeconds: number | undefined;
}

const cannot = (message: string): CommandError => new CommandError(67, message);

export function parseIndexKey(value: RawValue): IndexDefinition['key'] {
  if (value.type !== Type.object) throw cannot('an index needs a key document');
  const fields = elements(value.buf, value.start).map(({ name, value: direction }): [string, 1 | -1] => {
    if (toText(direction) !== undefined) throw cannot(`the index type '${toText(direction)}' is not supported`);
    const number = toNumber(direction);
    if (Number.isNaN(number) || number === 0) throw cannot(`the direction of '${name}' has to be 1 or -1`);
    if (name === '' || name.split('.').some((part) => part === '' || part.startsWith('$'))) {
      throw cannot(`'${name}' cannot be indexed`);
    }
    return [name, number > 0 ? 1 : -1];
  });
  if (fields.length === 0) throw cannot('Index keys cannot be empty.');
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw cannot('an index names a field twice');
  return fields;
}

function parseExpiry(value: RawValue, key: IndexDefinition['key']): number {
  const seconds = toNumber(value);
  if (!(seconds >= 0) || seconds > 0x7fffffff) throw cannot('expireAfterSeconds is out of range');
  if (key.length > 1) throw cannot('TTL indexes are single-field indexes, compound indexes do not support TTL');
  if (key[0]?.[0] === '_id') throw cannot('The field expireAfterSeconds cannot be used with an _id index');
  return seconds;
}

const isTrue = (value: RawValue): boolean =>
  value.type === Type.boolean ? value.buf[value.start] === 1 : toNumber(value) !== 0;

const defaultName = (key: IndexDefinition['key']): string => key.map(([name, way]) => `${name}_${way}`).join('_');

export function parseIndexSpec(raw: Buffer): IndexDefinition {
  const given = new Map(elements(raw).map((element) => [element.name, element.value]));
  const keyValue = given.get('key');
  if (!keyValue) throw new CommandError(9, "The 'key' field is a required property of an index specification");
  const key = parseIndexKey(keyValue);
  const spec: IndexDefinition = {
    name: defaultName(key),
    key,
    unique: false,
    partial: undefined,
    expireAfterSeconds: undefined,
  };
  for (const [name, value] of given) {
    if (name === 'key' || name === 'v' || name === 'background' || name === 'ns') continue;
    if (name === 'name') spec.name = toText(value) ?? spec.name;
    else if (name === 'unique') spec.unique = isTrue(value);
    else if (name === 'sparse' && !isTrue(value)) continue;
    else if (name === 'expireAfterSeconds') spec.expireAfterSeconds = parseExpiry(value, key);
    else if (name === 'partialFilterExpression' && value.type === Type.object)
      spec.partial = Buffer.from(documentOf(value));
    else throw notSupported(`the index option '${name}'`);
  }
  return spec;
}

export function describeIndex(spec: IndexDefinition): Record<string, unknown> {
  return {
    v: 2,
    key: Object.fromEntries(spec.key),
    name: spec.name,
    ...(spec.unique && spec.name !== '_id_' ? { unique: true } : {}),
    ...(spec.partial ? { partialFilterExpression: decodeDocument(spec.partial) } : {}),
    ...(spec.expireAfterSeconds === undefined ? {} : { expireAfterSeconds: spec.expireAfterSeconds }),
  };
}

const sameKey = (a: IndexDefinition, b: IndexDefinition): boolean => JSON.stringify(a.key) === JSON.stringify(b.key);

const samePartial = (a: IndexDefinition, b: IndexDefinition): boolean =>
  a.partial === b.partial || (a.partial !== undefined && b.partial !== undefined && a.partial.equals(b.partial));

const sameOptions = (a: IndexDefinition, b: IndexDefinition): boolean =>
  a.unique === b.unique && a.expireAfterSeconds === b.expireAfterSeconds && samePartial(a, b);

/** True when the index is there already; a name or key that means something else is refused, as MongoDB does. */
export function isSameIndex(existing: IndexDefinition, asked: IndexDefinition): boolean {
  const identical = sameKey(existing, asked) && samePartial(existing, asked);
  // Everyone has the index of _id, whatever name it is asked for under.
  if (identical && existing.name === '_id_') return true;
  if (existing.name === asked.name) {
    if (identical && sameOptions(existing, asked)) return true;
    throw new CommandError(
      86,
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${JSON.stringify(describeIndex(asked))}, existing index: ${JSON.stringify(describeIndex(existing))}`,
    );
  }
  if (!identical) return false;
  const reason = sameOptions(existing, asked) ? 'a different name' : 'different options';
  throw new CommandError(85, `Index already exists with ${reason}: ${existing.name}`);
}
