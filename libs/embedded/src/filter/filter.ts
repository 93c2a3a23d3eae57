import { type RawValue, Type, elements, isNumeric } from '../bson/raw.ts';
import { toNumber } from '../bson/value.ts';
import { badValue } from '../protocol/errors.ts';
import { keyOf } from '../bson/key.ts';
import { type Comparison, type Filter, type Test, allOf, everything } from './ast.ts';
import { parseComparison } from './expression.ts';
import { type Path, parsePath } from './path.ts';
import { regexOf, regexOfValue } from './regex.ts';
import { typesOf } from './type-names.ts';

/** Parses the query document that starts at `start` of `buf`. */
export function parseFilter(buf: Buffer, start = 0): Filter {
  const parts: Filter[] = [];
  for (const { name, value } of elements(buf, start)) {
    const parse = name.startsWith('$') ? topLevel[name] : undefined;
    if (parse) parts.push(...parse(value));
    else if (name.startsWith('$')) throw badValue(`unknown top level operator: ${name}`);
    else parts.push(parseField(name, value));
  }
  return allOf(parts);
}

export function parseFilterValue(value: RawValue): Filter {
  if (value.type === Type.missing) return everything;
  if (value.type !== Type.object) throw badValue('a query must be an object');
  return parseFilter(value.buf, value.start);
}

function parseList(name: string, value: RawValue): Filter[] {
  if (value.type !== Type.array) throw badValue(`${name} argument must be an array`);
  const list = elements(value.buf, value.start);
  if (list.length === 0) throw badValue(`${name} argument must be a non-empty array`);
  return list.map((item) => {
    if (item.value.type !== Type.object) throw badValue(`${name} argument's entries must be objects`);
    return parseFilter(item.value.buf, item.value.start);
  });
}

const topLevel: Record<string, (value: RawValue) => Filter[]> = {
  $and: (value) => parseList('$and', value),
  $or: (value) => [{ kind: 'or', parts: parseList('$or', value) }],
  $nor: (value) => [{ kind: 'nor', parts: parseList('$nor', value) }],
  $comment: () => [],
  $expr: (value) => {
    return [{ kind: 'expr', holds: parseComparison(value) }];
  },
};

/** True for `{ $gt: 1 }`: an object whose names are operators, where any other object is a value to be equal to. */
export function isOperatorObject(value: RawValue): boolean {
  if (value.type !== Type.object) return false;
  const names = elements(value.buf, value.start).map((element) => element.name);
  const operators = names.filter((name) => name.startsWith('$')).length;
  if (operators > 0 && operators < names.length) {
    throw badValue(`unknown operator: ${names.find((name) => !name.startsWith('$'))}`);
  }
  return operators > 0;
}

function parseField(name: string, value: RawValue): Filter {
  const path = parsePath(name);
  if (value.type === Type.regex) return { kind: 'test', test: testOf.regex(path, value) };
  if (!isOperatorObject(value)) return { kind: 'test', test: testOf.compare(path, 'eq', value) };
  return parseOperators(path, value);
}

const testOf = {
  compare: (path: Path, op: Comparison, operand: RawValue): Test => ({ path, op, operand, key: keyOf(operand) }),
  regex: (path: Path, value: RawValue): Test => ({ path, op: 'regex', regex: regexOfValue(value) }),
};

const one = (test: Test): Filter => ({ kind: 'test', test });
const not = (part: Filter): Filter => ({ kind: 'not', part });

function listOf(name: string, value: RawValue): RawValue[] {
  if (value.type !== Type.array) throw badValue(`${name} needs an array`);
  return elements(value.buf, value.start).map((element) => element.value);
}

function parseIn(path: Path, name: string, value: RawValue): Filter {
  const operands = listOf(name, value);
  for (const operand of operands) {
    if (operand.type === Type.regex) throw badValue(`${name} with a regular expression is not supported`);
    if (isOperatorObject(operand)) throw badValue(`cannot nest $ under ${name}`);
  }
  return one({ path, op: 'in', operands, keys: operands.map(keyOf) });
}

function parseNot(path: Path, value: RawValue): Filter {
  if (value.type === Type.regex) return not(one(testOf.regex(path, value)));
  if (!isOperatorObject(value)) throw badValue('$not needs a regex or a document');
  return not(parseOperators(path, value));
}

function parseAll(path: Path, value: RawValue): Filter {
  const parts = listOf('$all', value).map((operand): Filter => {
    if (isOperatorObject(operand)) return parseOperators(path, operand);
    if (operand.type === Type.regex) return one(testOf.regex(path, operand));
    return one(testOf.compare(path, 'eq', operand));
  });
  // Nothing holds all of nothing: an empty $in is the condition that never holds.
  return parts.length > 0 ? allOf(parts) : one({ path, op: 'in', operands: [], keys: [] });
}

function parseElemMatch(path: Path, value: RawValue): Filter {
  if (value.type !== Type.object) throw badValue('$elemMatch needs an Object');
  const names = elements(value.buf, value.start).map((element) => element.name);
  const ofValues = names.length > 0 && names.every((name) => name.startsWith('$') && name in operators);
  // Conditions on the elements themselves have a path without steps; see compileTest.
  const match = ofValues
    ? parseOperators({ text: '', first: '', steps: [] }, value)
    : parseFilter(value.buf, value.start);
  return one({ path, op: 'elemMatch', match });
}

function requireNumber(name: string, value: RawValue): RawValue {
  if (!isNumeric(value.type)) throw badValue(`${name} needs a number`);
  return value;
}

function parseMod(path: Path, value: RawValue): Filter {
  const numbers = listOf('$mod', value).map((item) => Math.trunc(toNumber(requireNumber('$mod', item))));
  const [divisor, remainder] = numbers;
  if (numbers.length !== 2 || divisor === undefined || remainder === undefined) {
    throw badValue('malformed mod, needs to be an array of two numbers');
  }
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return one({ path, op: 'mod', divisor, remainder });
}

function parseSize(path: Path, value: RawValue): Filter {
  const size = toNumber(value);
  if (!Number.isInteger(size) || size < 0) throw badValue('$size needs a whole number that is not negative');
  return one({ path, op: 'size', size });
}

function isTrue(value: RawValue): boolean {
  if (value.type === Type.boolean) return value.buf[value.start] === 1;
  if (value.type === Type.null || value.type === Type.undefined) return false;
  return toNumber(value) !== 0;
}

type Parse = (path: Path, value: RawValue) => Filter;

const compare = (op: Comparison): Parse => {
  return (path, value) => {
    if (value.type === Type.regex && op !== 'eq')
      throw badValue(`Can't have RegEx as arg to predicate over field '${path.text}'.`);
    return one(testOf.compare(path, op, value));
  };
};

const operators: Record<string, Parse> = {
  $eq: compare('eq'),
  $gt: compare('gt'),
  $gte: compare('gte'),
  $lt: compare('lt'),
  $lte: compare('lte'),
  $ne: (path, value) => not(compare('eq')(path, value)),
  $in: (path, value) => parseIn(path, '$in', value),
  $nin: (path, value) => not(parseIn(path, '$nin', value)),
  $not: parseNot,
  $all: parseAll,
  $elemMatch: parseElemMatch,
  $mod: parseMod,
  $size: parseSize,
  $type: (path, value) => one({ path, op: 'type', types: typesOf(value) }),
  $exists: (path, value) => (isTrue(value) ? one({ path, op: 'exists' }) : not(one({ path, op: 'exists' }))),
};

/** `{ $gt: 1, $lt: 9 }` behind a path. */
export function parseOperators(path: Path, value: RawValue): Filter {
  const found = elements(value.buf, value.start);
  const options = found.find((element) => element.name === '$options');
  const parts: Filter[] = [];
  for (const { name, value: operand } of found) {
    if (name === '$options') continue;
    const parse = name === '$regex' ? undefined : operators[name];
    if (parse) parts.push(parse(path, operand));
    else if (name === '$regex') parts.push(one({ path, op: 'regex', regex: regexOf(operand, options?.value) }));
    else throw badValue(`unknown operator: ${name}`);
  }
  if (options && !found.some((element) => element.name === '$regex')) throw badValue('$options needs a $regex');
  return allOf(parts);
}
