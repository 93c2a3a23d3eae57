import { type RawValue, Type, readLength } from '../bson/raw.ts';
import { compareToKey, keyOf, textOf, typeClass } from '../bson/key.ts';
import type { Comparison, Filter, Test } from './ast.ts';
import { type Visit, visitElements, visitPath } from './path.ts';

export type Matcher = (document: Buffer) => boolean;

/** A filter as one function over encoded documents. */
export function compileMatcher(filter: Filter): Matcher {
  const match = compile(filter);
  return (document) => match(Type.object, document, 0, document.length);
}

function compile(filter: Filter): Visit {
  switch (filter.kind) {
    case 'test':
      return compileTest(filter.test);
    case 'expr':
      return (_type, buf, start, end) =>
        filter.holds(start === 0 && end === buf.length ? buf : buf.subarray(start, end));
    case 'not': {
      const part = compile(filter.part);
      return (type, buf, start, end) => !part(type, buf, start, end);
    }
    case 'and': {
      const parts = filter.parts.map(compile);
      return (type, buf, start, end) => parts.every((part) => part(type, buf, start, end));
    }
    default: {
      const parts = filter.parts.map(compile);
      const wanted = filter.kind === 'or';
      return (type, buf, start, end) => parts.some((part) => part(type, buf, start, end)) === wanted;
    }
  }
}

/** These look at an array as a whole, never at its elements one by one. */
const ofWholeArrays = new Set(['exists', 'size', 'elemMatch']);

function compileTest(test: Test): Visit {
  const holds = compileCondition(test);
  const { path } = test;
  if (path.steps.length === 0) return holds;
  const spread = !ofWholeArrays.has(test.op);
  return (_type, buf, start) => visitPath(buf, start, path, spread, holds);
}

function compileCondition(test: Test): Visit {
  switch (test.op) {
    case 'exists':
      return (type) => type !== Type.missing;
    case 'type':
      return (type) => test.types.has(type);
    case 'size':
      return (type, buf, start) => type === Type.array && countElements(buf, start) === test.size;
    case 'in':
      return compileIn(test.keys);
    case 'mod':
      return compileMod(test.divisor, test.remainder);
    case 'regex':
      return compileRegex(test.regex);
    case 'elemMatch':
      return compileElemMatch(test.match);
    case 'eq':
      return compileEqual(test.key);
    default:
      return compileOrder(test.op, test.operand.type, test.key);
  }
}

function countElements(buf: Buffer, start: number): number {
  let count = 0;
  visitElements(buf, start, () => {
    count += 1;
    return false;
  });
  return count;
}

function compileEqual(key: Buffer): Visit {
  const wanted = key[0];
  return (type, buf, start, end) => typeClass(type) === wanted && compareToKey(type, buf, start, end, key) === 0;
}

function compileIn(keys: Buffer[]): Visit {
  const wanted = new Set(keys.map(textOf));
  const classes = new Set(keys.map((key) => key[0]));
  return (type, buf, start, end) =>
    classes.has(typeClass(type)) && wanted.has(textOf(keyOf({ type, buf, start, end })));
}

const accepts: Record<Exclude<Comparison, 'eq'>, (order: number) => boolean> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

const isNaNValue = (type: number, buf: Buffer, start: number): boolean =>
  type === Type.double && Number.isNaN(buf.readDoubleLE(start));

/** Only values of the operand's class compare; $minKey and $maxKey compare with all. NaN is neither above nor below. */
function compileOrder(op: Exclude<Comparison, 'eq'>, operandType: number, key: Buffer): Visit {
  const accept = accepts[op];
  const wanted = key[0];
  const anyClass = operandType === Type.minKey || operandType === Type.maxKey;
  if (anyClass) return (type, buf, start, end) => accept(compareToKey(type, buf, start, end, key));
  const ofNaN = wanted === typeClass(Type.double) && key.subarray(1).every((byte) => byte === 0);
  if (ofNaN) return op === 'gte' || op === 'lte' ? compileEqual(key) : () => false;
  return (type, buf, start, end) =>
    typeClass(type) === wanted && accept(compareToKey(type, buf, start, end, key)) && !isNaNValue(type, buf, start);
}

function compileMod(divisor: number, remainder: number): Visit {
  return (type, buf, start) => {
    let value = NaN;
    if (type === Type.int32) value = buf.readInt32LE(start);
    if (type === Type.double) value = Math.trunc(buf.readDoubleLE(start));
    if (type === Type.int64) return buf.readBigInt64LE(start) % BigInt(divisor) === BigInt(remainder);
    return value % divisor === remainder;
  };
}

function compileRegex(regex: RegExp): Visit {
  return (type, buf, start) =>
    type === Type.string && regex.test(buf.toString('utf8', start + 4, start + 3 + readLength(buf, start)));
}

function compileElemMatch(match: Filter): Visit {
  const ofValues = isOfValues(match);
  const holds = compile(match);
  return (type, buf, start) => {
    if (type !== Type.array) return false;
    return visitElements(buf, start, (elementType, elementBuf, at, end) => {
      if (!ofValues && elementType !== Type.object && elementType !== Type.array) return false;
      return holds(elementType, elementBuf, at, end);
    });
  };
}

function isOfValues(filter: Filter): boolean {
  if (filter.kind === 'test') return filter.test.path.steps.length === 0;
  if (filter.kind === 'not') return isOfValues(filter.part);
  return filter.kind !== 'expr' && filter.parts.some(isOfValues);
}

/** A filter over single values, such as elements of an array. */
export function compileValueMatcher(filter: Filter): (value: RawValue) => boolean {
  const holds = compile(filter);
  return ({ type, buf, start, end }) => holds(type, buf, start, end);
}
