import type { RawValue } from '../bson/raw.ts';
import { notSupported } from '../errors.ts';

export interface Scope {
  document: Buffer;
}

export type Evaluate = (scope: Scope) => unknown;

export function parseExpression(_value: RawValue): Evaluate {
  throw notSupported('$expr');
}

export function truthy(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && Number(value) !== 0;
}
