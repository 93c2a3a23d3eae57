import { Type, type RawValue, elements, isNumeric } from '../bson/raw.ts';
import { type ArrayNode, type Node, close, isArray, open } from '../bson/tree.ts';
import { encodeValue, toNumber } from '../bson/value.ts';
import { CommandError, badValue, failedToParse, typeMismatch } from '../protocol/errors.ts';
import { isOperatorObject, parseFilter, parseOperators } from '../filter/filter.ts';
import { compileValueMatcher } from '../filter/matcher.ts';
import { parseSort, sortKeyOf, type SortField } from '../query/sort.ts';
import { compareBytes, keyOf } from '../bson/key.ts';
import { addNumbers, multiplyNumbers } from './arithmetic.ts';

/** The result of an operator for the value at its path: a new value, `remove`, or `keep`. */
export const remove = Symbol('remove');
export const keep = Symbol('keep');
type OperatorResult = Node | typeof remove | typeof keep;

export interface Operator {
  /** Called with the value at the path, undefined when there is none. */
  apply(current: Node | undefined, path: string): OperatorResult;
  /** False for an operator that has nothing to do when the path does not exist. */
  creates: boolean;
}

const set = (value: RawValue): Operator => ({ creates: true, apply: () => value });

function arithmetic(
  name: string,
  operand: RawValue,
  combine: (a: RawValue, b: RawValue) => RawValue,
  first: () => RawValue,
): Operator {
  if (!isNumeric(operand.type))
    throw typeMismatch(`Cannot ${name === '$inc' ? 'increment' : 'multiply'} with non-numeric argument`);
  return {
    creates: true,
    apply(current, path) {
      if (!current) return first();
      const value = close(current);
      if (!isNumeric(value.type))
        throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type at '${path}'`);
      return combine(value, operand);
    },
  };
}

function extreme(operand: RawValue, sign: 1 | -1): Operator {
  const key = keyOf(operand);
  return {
    creates: true,
    apply: (current) => (!current || compareBytes(key, keyOf(close(current))) * sign > 0 ? operand : keep),
  };
}

function currentDate(operand: RawValue): Operator {
  const asDate = operand.type === Type.boolean;
  const given = asDate ? undefined : elements(operand.buf, operand.start)[0];
  const type =
    given?.name === '$type' ? given.value.buf.toString('utf8', given.value.start + 4, given.value.end - 1) : '';
  if (!asDate && type !== 'date') throw badValue("$currentDate takes true or { $type: 'date' }");
  return { creates: true, apply: () => encodeValue(new Date()) };
}

function arrayAt(name: string, current: Node, path: string): ArrayNode {
  const node = open(current);
  if (!isArray(node)) throw badValue(`The field '${path}' must be an array but is not, for ${name}`);
  return node;
}

interface PushOptions {
  each: RawValue[];
  position: number | undefined;
  slice: number | undefined;
  sort: ((a: RawValue, b: RawValue) => number) | undefined;
}

const listOf = (name: string, value: RawValue): RawValue[] => {
  if (value.type !== Type.array) throw badValue(`The argument to ${name} must be an array`);
  return elements(value.buf, value.start).map((element) => element.value);
};

const wholeNumber = (name: string, value: RawValue): number => {
  const number = toNumber(value);
  if (!Number.isInteger(number)) throw badValue(`The value for ${name} must be an integer`);
  return number;
};

function parseElementSort(value: RawValue): (a: RawValue, b: RawValue) => number {
  if (value.type !== Type.object) {
    const sign = wholeNumber('$sort', value);
    return (a, b) => compareBytes(keyOf(a), keyOf(b)) * sign;
  }
  const fields: SortField[] = parseSort(value.buf.subarray(value.start, value.end));
  const key = (item: RawValue): Buffer =>
    item.type === Type.object ? sortKeyOf(item.buf.subarray(item.start, item.end), fields) : Buffer.alloc(0);
  return (a, b) => compareBytes(key(a), key(b));
}

function parsePush(operand: RawValue): PushOptions {
  const options: PushOptions = { each: [operand], position: undefined, slice: undefined, sort: undefined };
  if (!isOperatorObject(operand)) return options;
  const given = elements(operand.buf, operand.start);
  if (given[0]?.name !== '$each' && !given.some(({ name }) => name === '$each'))
    throw badValue('$push modifiers need $each');
  for (const { name, value } of given) {
    if (name === '$each') options.each = listOf('$each', value);
    else if (name === '$position') options.position = wholeNumber(name, value);
    else if (name === '$slice') options.slice = wholeNumber(name, value);
    else if (name === '$sort') options.sort = parseElementSort(value);
    else throw badValue(`Unrecognized clause in $push: ${name}`);
  }
  return options;
}

function push(operand: RawValue): Operator {
  const { each, position, slice, sort } = parsePush(operand);
  return {
    creates: true,
    apply(current, path) {
      const items = current ? [...arrayAt('$push', current, path).items] : [];
      items.splice(position ?? items.length, 0, ...each);
      const ordered = sort ? items.map(close).toSorted(sort) : items;
      const kept = slice === undefined ? ordered : slice < 0 ? ordered.slice(slice) : ordered.slice(0, slice);
      return { type: Type.array, items: kept };
    },
  };
}

function addToSet(operand: RawValue): Operator {
  const first = operand.type === Type.object ? elements(operand.buf, operand.start) : [];
  const each = first[0]?.name === '$each' ? listOf('$each', first[0].value) : [operand];
  if (first[0]?.name === '$each' && first.length > 1)
    throw badValue(`Found unexpected fields after $each in $addToSet: ${first[1]?.name}`);
  return {
    creates: true,
    apply(current, path) {
      const items = current ? arrayAt('$addToSet', current, path).items : [];
      const known = new Set(items.map((item) => keyOf(close(item)).toString('latin1')));
      const fresh = each.filter((item) => {
        const key = keyOf(item).toString('latin1');
        return known.has(key) ? false : known.add(key);
      });
      return fresh.length === 0 && current ? keep : { type: Type.array, items: [...items, ...fresh] };
    },
  };
}

/** Removes the elements for which `gone` holds. */
function pulling(name: string, gone: (item: RawValue) => boolean): Operator {
  return {
    creates: false,
    apply(current, path) {
      if (!current) return keep;
      const { items } = arrayAt(name, current, path);
      const kept = items.filter((item) => !gone(close(item)));
      return kept.length === items.length ? keep : { type: Type.array, items: kept };
    },
  };
}

function pullCondition(operand: RawValue): (item: RawValue) => boolean {
  const noPath = { text: '', first: '', steps: [] };
  if (operand.type === Type.object && isOperatorObject(operand))
    return compileValueMatcher(parseOperators(noPath, operand));
  if (operand.type === Type.object) {
    const matches = compileValueMatcher(parseFilter(operand.buf, operand.start));
    return (item) => item.type === Type.object && matches(item);
  }
  const key = keyOf(operand);
  return (item) => keyOf(item).equals(key);
}

function pop(operand: RawValue): Operator {
  const end = toNumber(operand);
  if (end !== 1 && end !== -1) throw failedToParse('$pop expects 1 or -1');
  return {
    creates: false,
    apply(current, path) {
      if (!current) return keep;
      const node = open(current);
      if (!isArray(node)) throw typeMismatch(`Path '${path}' contains an element of non-array type`);
      if (node.items.length === 0) return keep;
      return { type: Type.array, items: end === 1 ? node.items.slice(0, -1) : node.items.slice(1) };
    },
  };
}

const zeroLike = (operand: RawValue): RawValue => multiplyNumbers(encodeValue(0), operand);

/** The update operators, by name; each parses its operand once and is then applied to any number of documents. */
export const operators: Record<string, (operand: RawValue) => Operator> = {
  $set: set,
  $setOnInsert: set,
  $unset: () => ({ creates: false, apply: (current) => (current ? remove : keep) }),
  $inc: (operand) => arithmetic('$inc', operand, addNumbers, () => operand),
  $mul: (operand) => arithmetic('$mul', operand, multiplyNumbers, () => zeroLike(operand)),
  $min: (operand) => extreme(operand, -1),
  $max: (operand) => extreme(operand, 1),
  $currentDate: currentDate,
  $push: push,
  $addToSet: addToSet,
  $pull: (operand) => pulling('$pull', pullCondition(operand)),
  $pullAll: (operand) => {
    const keys = new Set(listOf('$pullAll', operand).map((item) => keyOf(item).toString('latin1')));
    return pulling('$pullAll', (item) => keys.has(keyOf(item).toString('latin1')));
  },
  $pop: pop,
};

export const immutable = (path: string): CommandError =>
  new CommandError(66, `Performing an update on the path '${path}' would modify the immutable field '_id'`);
