import { Double, Int32 } from 'bson';
import { Type, elements, type RawValue } from '../bson/raw.ts';
import { encodeDocument } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compareValues, valueKey } from '../query/expression-operators.ts';
import { type Evaluate, parseExpression } from '../query/expression.ts';
import { type BsonNumber, add, isNumber, numberOf } from '../query/numeric.ts';
import { type Rows, Signal, noDocument } from '../query/rows.ts';
import { textOf } from '../storage/key.ts';

interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

function total(): Accumulator {
  let sum: BsonNumber = new Int32(0);
  return { add: (value) => void (isNumber(value) && (sum = add(sum, value))), result: () => sum };
}

function average(): Accumulator {
  let sum = 0;
  let count = 0;
  return {
    add(value) {
      if (!isNumber(value)) return;
      sum += numberOf(value);
      count += 1;
    },
    result: () => (count > 0 ? new Double(sum / count) : null),
  };
}

const extreme = (sign: 1 | -1) => (): Accumulator => {
  let best: unknown;
  return {
    add(value) {
      if (value === undefined || value === null) return;
      if (best === undefined || compareValues(value, best) * sign > 0) best = value;
    },
    result: () => best ?? null,
  };
};

function first(): Accumulator {
  let seen = false;
  let kept: unknown;
  return {
    add(value) {
      if (!seen) kept = value;
      seen = true;
    },
    result: () => kept ?? null,
  };
}

function last(): Accumulator {
  let kept: unknown;
  return { add: (value) => void (kept = value), result: () => kept ?? null };
}

function push(): Accumulator {
  const all: unknown[] = [];
  return { add: (value) => void (value !== undefined && all.push(value)), result: () => all };
}

function addToSet(): Accumulator {
  const all = new Map<string, unknown>();
  return {
    add: (value) => void (value !== undefined && all.set(textOf(valueKey(value)), value)),
    result: () => [...all.values()],
  };
}

const accumulators: Record<string, () => Accumulator> = {
  $sum: total,
  $count: total,
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
};

interface Field {
  name: string;
  make: () => Accumulator;
  evaluate: Evaluate;
}

function parseField(name: string, value: RawValue): Field {
  const parts = value.type === Type.object ? elements(value.buf, value.start) : [];
  const [operator] = parts;
  if (!operator || parts.length !== 1)
    throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
  const make = accumulators[operator.name];
  if (!make) throw new CommandError(15952, `unknown group operator '${operator.name}'`);
  const one = new Int32(1);
  return { name, make, evaluate: operator.name === '$count' ? () => one : parseExpression(operator.value) };
}

interface Group {
  id: unknown;
  values: Accumulator[];
}

const MAX_GROUPS = 1_000_000;

/** Gathers everything, then gives one document a group. */
export function groupRows(source: Rows, value: RawValue): Rows {
  if (value.type !== Type.object) throw new CommandError(15947, "a group's fields must be specified in an object");
  const parts = elements(value.buf, value.start);
  const id = parts.find((part) => part.name === '_id');
  if (!id) throw new CommandError(15955, 'a group specification must include an _id');
  const idOf = parseExpression(id.value);
  const fields = parts.filter((part) => part !== id).map((part) => parseField(part.name, part.value));
  const groups = new Map<string, Group>();
  const gather = (): void => {
    const scope = { document: source.document };
    const groupId = idOf(scope) ?? null;
    const key = textOf(valueKey(groupId));
    let group = groups.get(key);
    if (!group) {
      if (groups.size >= MAX_GROUPS)
        throw new CommandError(292, 'Exceeded memory limit for $group, but did not allow external sort.');
      group = { id: groupId, values: fields.map((field) => field.make()) };
      groups.set(key, group);
    }
    for (const [i, field] of fields.entries()) group.values[i]?.add(field.evaluate(scope));
  };
  const render = ({ id: groupId, values }: Group): Buffer =>
    encodeDocument(
      new Map<string, unknown>([
        ['_id', groupId],
        ...fields.map((field, i): [string, unknown] => [field.name, values[i]?.result()]),
      ]),
    );
  return gatheredRows(source, gather, function* () {
    for (const group of groups.values()) yield render(group);
  });
}

/** Rows that come out only when all that goes in has been seen. */
export function gatheredRows(source: Rows, gather: () => void, results: () => Iterator<Buffer>): Rows {
  let out: Iterator<Buffer> | undefined;
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend: () => source.suspend(),
    next() {
      while (!out) {
        const signal = source.next();
        if (signal === Signal.paused) return signal;
        if (signal === Signal.row) gather();
        else out = results();
      }
      const result = out.next();
      if (result.done) return Signal.done;
      rows.document = result.value;
      return Signal.row;
    },
  };
  return rows;
}
