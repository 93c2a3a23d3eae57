import { type RawValue, Type, elements, isNumeric } from '../bson/raw.ts';
import { toNumber, toText } from '../bson/value.ts';
import { badValue } from '../protocol/errors.ts';

/** The names MongoDB gives to BSON types, in `$type` of a query and of an expression. */
const byName: Record<string, number[]> = {
  double: [Type.double],
  string: [Type.string],
  object: [Type.object],
  array: [Type.array],
  binData: [Type.binary],
  undefined: [Type.undefined],
  objectId: [Type.objectId],
  bool: [Type.boolean],
  date: [Type.date],
  null: [Type.null],
  regex: [Type.regex],
  dbPointer: [Type.dbPointer],
  javascript: [Type.code],
  symbol: [Type.symbol],
  javascriptWithScope: [Type.codeWithScope],
  int: [Type.int32],
  timestamp: [Type.timestamp],
  long: [Type.int64],
  decimal: [Type.decimal128],
  minKey: [Type.minKey],
  maxKey: [Type.maxKey],
  number: [Type.double, Type.int32, Type.int64, Type.decimal128],
};

function typeName(type: number): string {
  if (type === Type.missing) return 'missing';
  return Object.keys(byName).find((name) => byName[name]?.[0] === type) ?? 'unknown';
}

function typesOfOne(value: RawValue): number[] {
  const name = toText(value);
  const types = name === undefined ? [toNumber(value) & 0xff] : byName[name];
  if (!types) throw badValue(`Unknown type name alias: ${name}`);
  if (name === undefined && (!isNumeric(value.type) || typeName(types[0] as number) === 'unknown')) {
    throw badValue('$type needs the name or number of a BSON type');
  }
  return types;
}

export function typesOf(value: RawValue): Set<number> {
  const values = value.type === Type.array ? elements(value.buf, value.start).map((item) => item.value) : [value];
  return new Set(values.flatMap(typesOfOne));
}
