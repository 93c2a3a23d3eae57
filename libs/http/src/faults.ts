import type { z } from 'zod';

/** A faulty value may hold thousands of faults; a caller needs to see that, not all of them. */
const MOST_FIELDS = 50;

/** The contract's details: the name of each faulty field with what is wrong with it. */
export function faultsOf(error: z.core.$ZodError): Record<string, string[]> {
  // A map, because a caller may name a field `constructor` or `__proto__`.
  const faults = new Map<string, string[]>();
  const add = (name: string, message: string) => {
    const messages = faults.get(name);
    if (messages) messages.push(message);
    else if (faults.size < MOST_FIELDS) faults.set(name, [message]);
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(nameOf([...issue.path, key]), 'is not a property of this request');
    } else add(nameOf(issue.path) || 'body', issue.message);
  }
  return Object.fromEntries(faults);
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
