import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { duration } from '@postroom/runtime/config';
import { processConfig } from '@postroom/runtime/run';
import type { z } from 'zod';
import { expectGolden } from './golden.ts';
import { markdownTable } from './markdown-table.ts';
import { readRepositoryFile, ROOT, serviceFolders } from './sources.ts';

const PAGE = 'docs/configuration.md';

type Field = z.ZodType & { def: { defaultValue?: string | number | boolean | string[]; innerType?: Field } };

interface Variable {
  name: string;
  service: string;
  default: string;
  meaning: string;
}

const configOf = (service: string) =>
  // The name is only known here, and each service exports its configuration under the same one.
  (require(join(ROOT, 'services', service, 'src/config.ts')) as { config: { shape: Record<string, Field> } }).config;

function variablesOf(service: string, shape: Record<string, z.ZodType>): Variable[] {
  return Object.entries(shape as Record<string, Field>).map(([name, field]) => ({
    name,
    service,
    default: defaultOf(field),
    meaning: meaningOf(name, field),
  }));
}

function partsOf(field: Field): Field[] {
  const inner = field.def.innerType;
  return inner ? [field, ...partsOf(inner)] : [field];
}

function defaultOf(field: Field): string {
  const parts = partsOf(field);
  const found = parts.find(({ def }) => def.defaultValue !== undefined)?.def.defaultValue;
  if (found === undefined || (Array.isArray(found) && found.length === 0)) return '';
  return parts.includes(duration as unknown as Field) ? timeText(Number(found)) : String(found);
}

function timeText(ms: number): string {
  if (ms % 60_000 === 0 && ms > 0) return `${ms / 60_000}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

function meaningOf(name: string, field: Field): string {
  const told = partsOf(field).find(({ description }) => description !== undefined)?.description;
  if (told !== undefined || !name.endsWith('_ADDR')) return told ?? '';
  const service = name
    .replace(/(_OPERATOR)?_ADDR$/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  if (!serviceFolders().includes(service)) return '';
  return name.endsWith('_OPERATOR_ADDR')
    ? `Where operators reach ${service}.`
    : `Where other services reach ${service}.`;
}

/** A long list would make the table too wide to read. */
const servicesText = (services: string[]) => (services.length > 6 ? 'most services' : services.join(', '));

/** One row for all services that give a variable the same meaning and default. */
function rows(): string[][] {
  const byMeaning = new Map<string, Variable[]>();
  const known = new Set(variables.filter(({ service }) => service === 'all').map(({ name }) => name));
  for (const variable of variables) {
    if (variable.service !== 'all' && known.has(variable.name)) continue;
    const key = JSON.stringify([variable.name, variable.default, variable.meaning]);
    byMeaning.set(key, [...(byMeaning.get(key) ?? []), variable]);
  }
  return [...byMeaning.values()]
    .map((same) => ({ ...(same[0] as Variable), services: same.map(({ service }) => service) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, services, default: standard, meaning }) => [
      `\`${name}\``,
      servicesText(services),
      standard,
      meaning,
    ]);
}

const variables: Variable[] = [
  ...variablesOf('all', processConfig.shape),
  ...serviceFolders().flatMap((service) => variablesOf(service, configOf(service).shape)),
];

describe('the configuration', () => {
  it('says of each variable what it means', () => {
    const unsaid = variables.filter(({ meaning }) => meaning === '');
    expect(unsaid.map(({ service, name }) => `${service}: ${name} needs .describe() in its config.ts`)).toEqual([]);
  });

  it('is listed on its page', () => {
    const page = readRepositoryFile(PAGE);
    const table = markdownTable(['variable', 'of', 'default', 'meaning'], rows());
    expectGolden(
      join(ROOT, PAGE),
      page.replace(/(?<=\n)\| variable .*?\n(?=\n|$)/s, table),
      'test/guards/configuration',
    );
  });
});
