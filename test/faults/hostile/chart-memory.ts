import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Settings {
  resources?: { limits?: { memory?: string } };
  heapPercent?: number;
}

const values = parse(readFileSync(join(__dirname, '../../../charts/postroom/values.yaml'), 'utf8')) as {
  defaults: Required<Settings>;
  services: Record<string, Settings | null>;
};

const MEBIBYTE = 1_048_576;

/** The container memory that the chart gives a service, and the Node flag for the heap's share of it. */
export function chartMemory(name: string): { bytes: number; heapFlag: string } {
  const own = values.services[name] ?? {};
  const limit = own.resources?.limits?.memory ?? values.defaults.resources.limits?.memory ?? '';
  const mebibytes = Number(/^(\d+)Mi$/.exec(limit)?.[1]);
  if (!mebibytes) throw new Error(`the chart gives ${name} the memory ${limit}`);
  const heap = Math.floor((mebibytes * (own.heapPercent ?? values.defaults.heapPercent)) / 100);
  return { bytes: mebibytes * MEBIBYTE, heapFlag: `--max-old-space-size=${heap}` };
}
