import { type RawValue, Type, elements, getField, missing } from '../bson/raw.ts';
import { decodeDocument, decodeValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { type Operand, expressionOperators } from './expression-operators.ts';
import { isNumber, numberOf } from './numeric.ts';

/** What an expression is evaluated over. Values are JavaScript with BSON number classes; `undefined` is missing. */
export interface Scope {
  document: Buffer;
  variables?: Map<string, unknown>;
}

export type Evaluate = (scope: Scope) => unknown;

const invalid = (message: string, code = 2): CommandError => new CommandError(code, message);

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

function followDecoded(value: unknown, steps: string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => followDecoded(item, steps)).filter((item) => item !== undefined);
  if (value === null || typeof value !== 'object' || '_bsontype' in value || value instanceof Date) return undefined;
  return followDecoded((value as Record<string, unknown>)[step], rest);
}

function fieldPath(path: string): Evaluate {
  if (path === '' || path.split('.').includes('')) throw invalid(`FieldPath '${path}' is not valid`, 40353);
  const steps = path.split('.').map((step) => Buffer.from(step));
  return ({ document }) => follow({ type: Type.object, buf: document, start: 0, end: document.length }, steps, 0);
}

function variable(text: string): Evaluate {
  const [name = '', ...steps] = text.split('.');
  if (name === 'ROOT' || name === 'CURRENT') {
    return steps.length > 0 ? fieldPath(steps.join('.')) : ({ document }) => decodeDocument(document);
  }
  if (name === 'REMOVE') return () => undefined;
  if (name === 'NOW') return () => new Date();
  if (!/^[a-z]/.test(name)) throw invalid(`Use of undefined variable: ${name}`, 17276);
  return ({ variables }) => {
    if (!variables?.has(name)) throw invalid(`Use of undefined variable: ${name}`, 17276);
    return followDecoded(variables.get(name), steps);
  };
}

function parseObject(value: RawValue): Evaluate {
  const fields = elements(value.buf, value.start);
  const [first] = fields;
  if (!first?.name.startsWith('$')) {
    const parts = fields.map(({ name, value: field }) => ({ name, evaluate: parseExpression(field) }));
    return (scope) => Object.fromEntries(parts.map(({ name, evaluate }) => [name, evaluate(scope)]));
  }
  if (fields.length > 1) throw invalid('an object representing an expression must have exactly one field', 15983);
  if (first.name === '$literal') {
    const literal = decodeValue(first.value);
    return () => literal;
  }
  const operator = expressionOperators[first.name];
  if (!operator) throw new CommandError(168, `Unrecognized expression '${first.name}'`);
  const operand: Operand = {
    name: first.name,
    list: (first.value.type === Type.array
      ? elements(first.value.buf, first.value.start)
      : [{ value: first.value }]
    ).map((item) => parseExpression(item.value)),
    named: () =>
      new Map(
        first.value.type === Type.object
          ? elements(first.value.buf, first.value.start).map((item) => [item.name, item.value])
          : [],
      ),
    parse: parseExpression,
  };
  return operator(operand);
}

export function parseExpression(value: RawValue = missing): Evaluate {
  if (value.type === Type.object) return parseObject(value);
  if (value.type === Type.array) {
    const items = elements(value.buf, value.start).map((item) => parseExpression(item.value));
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  const plain = decodeValue(value);
  if (typeof plain !== 'string' || !plain.startsWith('$')) return () => plain;
  return plain.startsWith('$$') ? variable(plain.slice(2)) : fieldPath(plain.slice(1));
}

export function truthy(value: unknown): boolean {
  if (isNumber(value)) return numberOf(value) !== 0;
  return value !== null && value !== undefined && value !== false;
}
