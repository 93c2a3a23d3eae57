import { hash } from 'node:crypto';

/** The hash of a request. The order of properties and white space do not matter. */
export function fingerprint(value: unknown): string {
  return hash('sha256', canonical(value), 'hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
