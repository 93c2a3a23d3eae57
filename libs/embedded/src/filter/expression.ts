import { Int32 } from 'bson';
import { type RawValue, Type, elements, getField } from '../bson/raw.ts';
import { decodeValue, encodeValue } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { compareBytes, keyOf } from '../bson/key.ts';

/** A value computed from a document: JavaScript with BSON number classes; `undefined` is missing. */
type Evaluate = (document: Buffer) => unknown;

const unknown = (name: string): CommandError => new CommandError(168, `Unrecognized expression '${name}'`);
const missingKey = Buffer.from([4]);
const valueKey = (value: unknown): Buffer => (value === undefined ? missingKey : keyOf(encodeValue(value)));

function compareValues(a: unknown, b: unknown): number {
  if (a instanceof Int32 && b instanceof Int32) return a.value - b.value;
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareBytes(Buffer.from(a), Buffer.from(b));
  return compareBytes(valueKey(a), valueKey(b));
}

const comparisons: Record<string, (order: number) => boolean> = {
  $eq: (order) => order === 0,
  $ne: (order) => order !== 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

/** Parses `$expr`, which supports one comparison only. The parser refuses any other operator by name. */
export function parseComparison(value: RawValue): (document: Buffer) => boolean {
  const { name, operand } = operatorOf(value);
  const accepts = comparisons[name];
  if (!accepts) throw unknown(name);
  const [left, right] = pairOf(name, operand).map(parseOperand) as [Evaluate, Evaluate];
  return (document) => accepts(compareValues(left(document), right(document)));
}

function operatorOf(value: RawValue): { name: string; operand: RawValue } {
  const fields = value.type === Type.object ? elements(value.buf, value.start) : [];
  const [first] = fields;
  if (!first || fields.length > 1)
    throw new CommandError(15983, 'an object representing an expression must have exactly one field');
  return { name: first.name, operand: first.value };
}

function pairOf(name: string, value: RawValue): RawValue[] {
  const items = value.type === Type.array ? elements(value.buf, value.start).map((item) => item.value) : [value];
  if (items.length === 2) return items;
  throw new CommandError(16020, `Expression ${name} takes exactly 2 arguments. ${items.length} were passed in.`);
}

/** A field, a constant, or the place of one text in another. */
function parseOperand(value: RawValue): Evaluate {
  if (value.type === Type.object) {
    const { name, operand } = operatorOf(value);
    if (name === '$literal') return constant(decodeValue(operand));
    if (name !== '$indexOfCP') throw unknown(name);
    const [whole, part] = pairOf(name, operand).map(parseOperand) as [Evaluate, Evaluate];
    return (document) => indexOfCP(whole(document), part(document));
  }
  const plain = decodeValue(value);
  return typeof plain === 'string' && plain.startsWith('$') ? fieldPath(plain.slice(1)) : constant(plain);
}

const constant = (value: unknown) => (): unknown => value;

function fieldPath(path: string): Evaluate {
  if (path.startsWith('$')) throw new CommandError(17276, `Use of undefined variable: ${path.slice(1)}`);
  if (path.split('.').includes('')) throw new CommandError(40353, `FieldPath '${path}' is not valid`);
  const steps = path.split('.').map((step) => Buffer.from(step));
  return (document) => {
    if (document === lastText.document && path === lastText.path) return lastText.text;
    const value = follow({ type: Type.object, buf: document, start: 0, end: document.length }, steps, 0);
    if (typeof value === 'string') lastText = { document, path, text: value };
    return value;
  };
}

/** The text that was read last: a query that searches it for many pieces decodes it once a document. */
let lastText: { document?: Buffer; path: string; text: string } = { path: '', text: '' };

/** Follows a path through encoded values; an array on the way gives the array of what its objects hold there. */
function follow(value: RawValue, steps: Buffer[], depth: number): unknown {
  if (depth === steps.length) return decodeValue(value);
  if (value.type === Type.object)
    return follow(getField(value.buf, value.start, steps[depth] as Buffer), steps, depth + 1);
  if (value.type !== Type.array) return undefined;
  return elements(value.buf, value.start)
    .map((item) => (item.value.type === Type.object ? follow(item.value, steps, depth) : undefined))
    .filter((item) => item !== undefined);
}

function indexOfCP(whole: unknown, part: unknown): unknown {
  if (whole === null || whole === undefined) return null;
  if (typeof whole !== 'string' || typeof part !== 'string')
    throw new CommandError(34471, '$indexOfCP requires a string argument');
  const at = whole.indexOf(part);
  // An offset in UTF-16 units becomes one in code points.
  return new Int32(at < 0 ? -1 : Array.from(whole.slice(0, at)).length);
}
