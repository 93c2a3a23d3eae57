import { type RawValue, Type, elements } from '../bson/raw.ts';
import { decodePlain, documentOf, toNumber } from '../bson/value.ts';
import { CommandError, typeMismatch } from '../protocol/errors.ts';
import { type Filter, allOf } from '../filter/ast.ts';
import { parseFilterValue } from '../filter/filter.ts';
import { type SortField, parseSort } from '../query/sort.ts';

/** A pipeline as far as it is a query: what is found, or how many that are. */
export interface Pipeline {
  filter: Filter;
  sort: SortField[];
  skip: number;
  limit: number | undefined;
  /** The group that counts, as drivers write it: what its one document has as `_id`, and where the number stands. */
  count: { id: unknown; field: string } | undefined;
}

interface Stage {
  name: string;
  value: RawValue;
}

/** The closed list, in the order in which they may stand: each once, and `$match` on both sides of `$sort`. */
export function parsePipeline(value: RawValue | undefined): Pipeline {
  const rest = stagesOf(value);
  const shift = (name: string): RawValue | undefined => (rest[0]?.name === name ? rest.shift()?.value : undefined);
  const filters: Filter[] = [];
  const matches = (): void => {
    for (let match = shift('$match'); match; match = shift('$match')) filters.push(parseFilterValue(match));
  };
  matches();
  const sort = shift('$sort');
  matches();
  const skip = shift('$skip');
  const limit = shift('$limit');
  const group = shift('$group');
  const [beyond] = rest;
  if (beyond) throw new CommandError(40324, `Unrecognized pipeline stage name: '${beyond.name}', or not at this place`);
  return {
    filter: allOf(filters),
    sort: sort ? parseSort(objectOf('$sort', sort)) : [],
    skip: skip ? wholeNumber('$skip', skip, 0) : 0,
    limit: limit && wholeNumber('$limit', limit, 1),
    count: group && countOf(group),
  };
}

function stagesOf(value: RawValue | undefined): Stage[] {
  if (value?.type !== Type.array) throw typeMismatch("'pipeline' option must be specified as an array");
  return elements(value.buf, value.start).map((item) => {
    const parts = item.value.type === Type.object ? elements(item.value.buf, item.value.start) : [];
    const [stage] = parts;
    if (!stage || parts.length !== 1)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    return stage;
  });
}

function countOf(value: RawValue): Pipeline['count'] {
  const spec = value.type === Type.object ? decodePlain(documentOf(value)) : {};
  const [id, sum, ...others] = Object.entries(spec);
  const isCount = JSON.stringify(sum?.[1]) === '{"$sum":1}' && others.length === 0;
  const isConstant = id?.[0] === '_id' && (id[1] === null || typeof id[1] === 'number');
  if (!isCount || !isConstant) throw new CommandError(15952, `a $group counts everything, and does nothing else`);
  return { id: id[1], field: sum?.[0] ?? '' };
}

function wholeNumber(name: string, value: RawValue, least: number): number {
  const number = toNumber(value);
  if (!Number.isInteger(number) || number < least)
    throw new CommandError(5107201, `invalid argument to ${name} stage: ${number}`);
  return number;
}

function objectOf(name: string, value: RawValue): Buffer {
  if (value.type !== Type.object) throw new CommandError(15969, `${name} specification must be an object`);
  return documentOf(value);
}
