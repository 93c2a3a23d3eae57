import { refuseAll, type Faults } from '@postroom/errors/refuse';
import type { z } from 'zod';

/** The request as the rules read it, or a refusal that names each faulty field. */
export function parseRequest<T>(rules: z.ZodType<T>, request: unknown): T {
  const result = rules.safeParse(request);
  if (result.success) return result.data;
  const faults: Faults = {};
  for (const issue of result.error.issues) (faults[issue.path.join('.')] ??= []).push(issue.message);
  return refuseAll(faults);
}
