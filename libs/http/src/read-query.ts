import { z } from 'zod';
import { faultSentence } from './fault-sentences.ts';
import { faultsOf } from './faults.ts';

type ReadQuery = { value: unknown } | { faults: Record<string, string[]> };

/** The one parameter that is never refused: what cannot be read of it falls back to its default. */
const LENIENT = 'limit';

/** Reads the query parameters of the schema. Others are ignored. */
export function readQuery(url: string, schema: z.ZodType): ReadQuery {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const values: Record<string, string> = {};
  const faults: Record<string, string[]> = {};
  for (const [name, raw] of pairsOf(url)) {
    if (!names.includes(name)) continue;
    const value = decode(raw);
    if (name in values && name !== LENIENT) faults[name] = ['must be given once'];
    // A limit given twice is as unreadable as one that is no number.
    else if (name in values) values[name] = '';
    else if (value !== undefined && !value.includes('\0')) values[name] = value;
    else if (name !== LENIENT) faults[name] = ['must be percent-encoded UTF-8 without NUL characters'];
  }
  if (Object.keys(faults).length > 0) return { faults };
  const parsed = schema.safeParse(values, { error: faultSentence });
  return parsed.success ? { value: parsed.data } : { faults: faultsOf(parsed.error) };
}

function pairsOf(url: string): [string, string][] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return url
    .slice(start + 1)
    .split('#')[0]!
    .split('&')
    .map((pair) => {
      const split = pair.indexOf('=');
      return split < 0 ? [decode(pair) ?? '', ''] : [decode(pair.slice(0, split)) ?? '', pair.slice(split + 1)];
    });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
