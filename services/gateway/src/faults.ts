import type { z } from 'zod';

/** A faulty value may hold thousands of faults; a caller needs to see that, not all of them. */
const MOST_FIELDS = 50;

/** The contract's details: the name of each faulty field with what is wrong with it. */
export function faultsOf(error: z.core.$ZodError): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  const add = (name: string, message: string) => {
    if (!faults[name] && Object.keys(faults).length >= MOST_FIELDS) return;
    (faults[name] ??= []).push(message);
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(nameOf([...issue.path, key]), 'is not a property of this request');
    } else add(nameOf(issue.path) || 'body', issue.message);
  }
  return faults;
}

/** `emailIds[3]`, `to[0].email`. */
function nameOf(path: readonly PropertyKey[]): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? String(step) : `.${String(step)}`;
  }
  return name;
}
