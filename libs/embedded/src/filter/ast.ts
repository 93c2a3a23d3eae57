import type { RawValue } from '../bson/raw.ts';
import type { Path } from './path.ts';

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** One condition on the values of one path. */
export type Test = { path: Path } & (
  | { op: Comparison; operand: RawValue; key: Buffer }
  | { op: 'in'; operands: RawValue[]; keys: Buffer[] }
  | { op: 'exists' }
  | { op: 'type'; types: Set<number> }
  | { op: 'size'; size: number }
  | { op: 'mod'; divisor: number; remainder: number }
  | { op: 'regex'; regex: RegExp }
  | { op: 'elemMatch'; match: Filter }
);

/** A query, parsed. The matcher runs it over documents; the planner reads index bounds off it. */
export type Filter =
  | { kind: 'and' | 'or' | 'nor'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'test'; test: Test }
  | { kind: 'expr'; holds: (document: Buffer) => boolean };

export const everything: Filter = { kind: 'and', parts: [] };

export function allOf(parts: Filter[]): Filter {
  return parts.length === 1 ? (parts[0] as Filter) : { kind: 'and', parts };
}
