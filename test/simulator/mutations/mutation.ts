import type { WorkloadName } from '../run.ts';

/** One small fault in the code of the product that keeps a promise. */
export interface Mutation {
  /** The fault in words. */
  fault: string;
  workload: WorkloadName;
  /** From the root of the repository. */
  file: string;
  /** It is in the file once. */
  code: string;
  instead: string;
}
