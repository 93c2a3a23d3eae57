import { ApiError } from './api-error.ts';

/** The contract's details of a refusal: each faulty field with its messages. */
export type Faults = Record<string, string[]>;

export function refuseAll(faults: Faults): never {
  throw new ApiError('VALIDATION_FAILED', { details: faults });
}

export function refuse(field: string, message: string): never {
  return refuseAll({ [field]: [message] });
}
