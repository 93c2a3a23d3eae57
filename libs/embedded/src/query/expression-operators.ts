import { Double, Int32 } from 'bson';
import type { RawValue } from '../bson/raw.ts';
import { encodeValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compareBytes, keyOf } from '../storage/key.ts';
import type { Evaluate, Scope } from './expression.ts';
import * as numeric from './numeric.ts';
import { typeName } from './type-names.ts';

/** The operand of an operator: as positional arguments, or, for operators with named ones, by name. */
export interface Operand {
  name: string;
  list: Evaluate[];
  named: () => Map<string, RawValue>;
  parse: (value: RawValue | undefined) => Evaluate;
}

type Make = (operand: Operand) => Evaluate;

const missingKey = Buffer.from([4]);
export const valueKey = (value: unknown): Buffer => (value === undefined ? missingKey : keyOf(encodeValue(value)));

export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareBytes(Buffer.from(a), Buffer.from(b));
  return compareBytes(valueKey(a), valueKey(b));
}

/** An operator of a fixed number of arguments. */
const of = (count: number, apply: (...values: unknown[]) => unknown): Make => {
  return ({ name, list }) => {
    if (list.length !== count)
      throw new CommandError(
        16020,
        `Expression ${name} takes exactly ${count} arguments. ${list.length} were passed in.`,
      );
    return (scope) => apply(...list.map((evaluate) => evaluate(scope)));
  };
};

const ofAny = (apply: (values: unknown[], name: string) => unknown): Make => {
  return ({ list, name }) =>
    (scope) =>
      apply(
        list.map((evaluate) => evaluate(scope)),
        name,
      );
};

const nullish = (value: unknown): value is null | undefined => value === null || value === undefined;
const truthy = (value: unknown): boolean =>
  numeric.isNumber(value) ? numeric.numberOf(value) !== 0 : !nullish(value) && value !== false;

function toNumber(value: unknown, name: string): numeric.BsonNumber {
  if (!numeric.isNumber(value)) throw new CommandError(16554, `${name} only supports numeric types`);
  return value;
}

const arithmetic = (apply: (a: numeric.BsonNumber, b: numeric.BsonNumber) => unknown): Make => {
  return ({ name, list }) =>
    of(2, (a, b) => (nullish(a) || nullish(b) ? null : apply(toNumber(a, name), toNumber(b, name))))({
      name,
      list,
    } as Operand);
};

const folding = (apply: (a: numeric.BsonNumber, b: numeric.BsonNumber) => numeric.BsonNumber, start: number): Make =>
  ofAny((values, name) => {
    if (values.some(nullish)) return null;
    return values.map((value) => toNumber(value, name)).reduce(apply, new Int32(start));
  });

const rounding = (apply: (x: number) => number): Make => {
  return (operand) => of(1, (a) => (nullish(a) ? null : numeric.mapNumber(toNumber(a, operand.name), apply)))(operand);
};

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new CommandError(34471, `${name} requires a string argument`);
  return value;
}

function list(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new CommandError(28689, `${name}'s argument must be an array`);
  return value;
}

const comparison = (accept: (order: number) => boolean): Make => of(2, (a, b) => accept(compareValues(a, b)));

function indexOfCP(values: unknown[]): unknown {
  const [whole, part, start] = values;
  if (nullish(whole)) return null;
  const from = start === undefined ? 0 : numeric.numberOf(toNumber(start, '$indexOfCP'));
  const all = text(whole, '$indexOfCP');
  const rest = from === 0 ? all : [...all].slice(from).join('');
  const at = rest.indexOf(text(part, '$indexOfCP'));
  if (at < 0) return new Int32(-1);
  // An offset in UTF-16 units becomes one in code points.
  const before = rest.slice(0, at);
  return new Int32(from + Array.from(before).length);
}

function elementAt(array: unknown, place: unknown): unknown {
  if (nullish(array) || nullish(place)) return null;
  const index = numeric.numberOf(toNumber(place, '$arrayElemAt'));
  return list(array, '$arrayElemAt').at(index);
}

const cond: Make = ({ list: parts, named, parse }) => {
  const byName = named();
  const [test, yes, no] = byName.has('if') ? ['if', 'then', 'else'].map((name) => parse(byName.get(name))) : parts;
  if (!test || !yes || !no) throw new CommandError(17080, 'Missing parameters to $cond');
  return (scope) => (truthy(test(scope)) ? yes(scope) : no(scope));
};

/** $filter and $map: an expression over each element of an array, which stands under a name. */
const perElement = (body: string, collect: (items: unknown[], results: unknown[]) => unknown): Make => {
  return ({ named, parse }) => {
    const given = named();
    const input = parse(given.get('input'));
    const evaluate = parse(given.get(body));
    const as = given.has('as') ? String(parse(given.get('as'))({ document: Buffer.alloc(0) })) : 'this';
    return (scope: Scope) => {
      const items = input(scope);
      if (nullish(items)) return null;
      const results = list(items, '$filter').map((item) =>
        evaluate({ ...scope, variables: new Map([...(scope.variables ?? []), [as, item]]) }),
      );
      return collect(items as unknown[], results);
    };
  };
};

const extreme = (sign: 1 | -1): Make =>
  ofAny((values) => {
    const candidates = (values.length === 1 && Array.isArray(values[0]) ? values[0] : values).filter(
      (value) => !nullish(value),
    );
    return (
      candidates.reduce(
        (best: unknown, value: unknown) => (best === undefined || compareValues(value, best) * sign > 0 ? value : best),
        undefined,
      ) ?? null
    );
  });

const sum: Make = ofAny((values) => {
  const numbers = (values.length === 1 && Array.isArray(values[0]) ? values[0] : values).filter(numeric.isNumber);
  return numbers.reduce(numeric.add, new Int32(0));
});

/** The closed list. Anything else is refused by name when the pipeline is parsed. */
export const expressionOperators: Record<string, Make> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: of(2, (a, b) => new Int32(Math.sign(compareValues(a, b)))),
  $and:
    ({ list: parts }) =>
    (scope) =>
      parts.every((part) => truthy(part(scope))),
  $or:
    ({ list: parts }) =>
    (scope) =>
      parts.some((part) => truthy(part(scope))),
  $not: of(1, (a) => !truthy(a)),
  $cond: cond,
  $ifNull:
    ({ list: parts }) =>
    (scope) => {
      for (const part of parts.slice(0, -1)) {
        const value = part(scope);
        if (!nullish(value)) return value;
      }
      return parts.at(-1)?.(scope);
    },
  $in: of(2, (value, array) => list(array, '$in').some((item) => compareValues(item, value) === 0)),
  $size: of(1, (array) => new Int32(list(array, '$size').length)),
  $isArray: of(1, (value) => Array.isArray(value)),
  $isNumber: of(1, (value) => numeric.isNumber(value)),
  $type: of(1, (value) => typeName(value === undefined ? 0 : encodeValue(value).type)),
  $arrayElemAt: of(2, elementAt),
  $first: of(1, (array) => (nullish(array) ? null : list(array, '$first').at(0))),
  $last: of(1, (array) => (nullish(array) ? null : list(array, '$last').at(-1))),
  $concatArrays: ofAny((values) =>
    values.some(nullish) ? null : values.flatMap((value) => list(value, '$concatArrays')),
  ),
  $filter: perElement('cond', (items, results) => items.filter((_, i) => truthy(results[i]))),
  $map: perElement('in', (_, results) => results.map((value) => value ?? null)),
  $min: extreme(-1),
  $max: extreme(1),
  $sum: sum,
  $add: folding(numeric.add, 0),
  $multiply: folding(numeric.multiply, 1),
  $subtract: of(2, (a, b) => {
    if (nullish(a) || nullish(b)) return null;
    if (a instanceof Date && b instanceof Date) return numeric.integer(a.getTime() - b.getTime(), true);
    if (a instanceof Date) return new Date(a.getTime() - numeric.numberOf(toNumber(b, '$subtract')));
    return numeric.subtract(toNumber(a, '$subtract'), toNumber(b, '$subtract'));
  }),
  $divide: arithmetic(numeric.divide),
  $mod: arithmetic(numeric.modulo),
  $abs: rounding(Math.abs),
  $floor: rounding(Math.floor),
  $ceil: rounding(Math.ceil),
  $trunc: rounding(Math.trunc),
  $toLower: of(1, (value) => (nullish(value) ? '' : text(value, '$toLower').toLowerCase())),
  $toUpper: of(1, (value) => (nullish(value) ? '' : text(value, '$toUpper').toUpperCase())),
  $concat: ofAny((values) => (values.some(nullish) ? null : values.map((value) => text(value, '$concat')).join(''))),
  $strLenCP: of(1, (value) => new Int32([...text(value, '$strLenCP')].length)),
  $indexOfCP: ofAny(indexOfCP),
  $toDouble: of(1, (value) => (nullish(value) ? null : new Double(numeric.numberOf(toNumber(value, '$toDouble'))))),
};
