import { Int32 } from 'bson';
import { type RawValue, Type, elements } from '../bson/raw.ts';
import { encodeDocument, toNumber, toText } from '../bson/value.ts';
import { CommandError, typeMismatch } from '../errors.ts';
import { type Filter, allOf } from '../query/ast.ts';
import { parseFilterValue } from '../query/filter.ts';
import { compileMatcher } from '../query/matcher.ts';
import { compileExclusion, compileProjection } from '../query/projection.ts';
import { type Rows, filterRows, limitRows, mapRows, skipRows } from '../query/rows.ts';
import { type SortField, parseSort, sortRows } from '../query/sort.ts';
import { gatheredRows, groupRows } from './group.ts';
import { type LookupContext, lookupRows } from './lookup.ts';
import { addFields, unset } from './reshape.ts';
import { unwindRows } from './unwind.ts';

export interface Stage {
  name: string;
  value: RawValue;
}

type Build = (source: Rows, value: RawValue, context: LookupContext) => Rows;

function wholeNumber(name: string, value: RawValue, least: number): number {
  const number = toNumber(value);
  if (!Number.isInteger(number) || number < least)
    throw new CommandError(5107201, `invalid argument to ${name} stage: ${number}`);
  return number;
}

function objectOf(name: string, value: RawValue): Buffer {
  if (value.type !== Type.object) throw new CommandError(15969, `${name} specification must be an object`);
  return value.buf.subarray(value.start, value.end);
}

function countRows(source: Rows, value: RawValue): Rows {
  const name = toText(value);
  if (!name || name.startsWith('$') || name.includes('.'))
    throw new CommandError(40156, 'the count field must be a non-empty string without $ and dots');
  let count = 0;
  return gatheredRows(
    source,
    () => {
      count += 1;
    },
    function* () {
      if (count > 0) yield encodeDocument({ [name]: new Int32(count) });
    },
  );
}

/** The closed list of stages. */
const stages: Record<string, Build> = {
  $match: (source, value) => filterRows(source, compileMatcher(parseFilterValue(value))),
  $sort: (source, value) => sortRows(source, parseSort(objectOf('$sort', value))),
  $skip: (source, value) => skipRows(source, wholeNumber('$skip', value, 0)),
  $limit: (source, value) => limitRows(source, wholeNumber('$limit', value, 1)),
  $project: (source, value) => mapRows(source, compileProjection(objectOf('$project', value), 'aggregate')),
  $addFields: (source, value) => mapRows(source, addFields(value)),
  $set: (source, value) => mapRows(source, addFields(value)),
  $unset: (source, value) => mapRows(source, compileExclusion(unset(value))),
  $group: groupRows,
  $unwind: unwindRows,
  $count: countRows,
  $lookup: lookupRows,
};

export function parsePipeline(value: RawValue | undefined): Stage[] {
  if (value?.type !== Type.array) throw typeMismatch("'pipeline' option must be specified as an array");
  return elements(value.buf, value.start).map((item) => {
    const parts = item.value.type === Type.object ? elements(item.value.buf, item.value.start) : [];
    const [stage] = parts;
    if (!stage || parts.length !== 1)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (!stages[stage.name]) throw new CommandError(40324, `Unrecognized pipeline stage name: '${stage.name}'`);
    return stage;
  });
}

export interface Head {
  filter: Filter;
  sort: SortField[];
  skip: number;
  limit: number | undefined;
  rest: Stage[];
}

/** What of a pipeline's beginning a plain query can do, so that indexes serve it: $match, $sort, $skip, $limit, in this order. */
export function splitPipeline(pipeline: Stage[]): Head {
  const rest = [...pipeline];
  const filters: Filter[] = [];
  const head: Omit<Head, 'filter'> = { sort: [], skip: 0, limit: undefined, rest };
  const shift = (name: string): RawValue | undefined => (rest[0]?.name === name ? rest.shift()?.value : undefined);
  for (let match = shift('$match'); match; match = shift('$match')) filters.push(parseFilterValue(match));
  const sort = shift('$sort');
  if (sort) head.sort = parseSort(objectOf('$sort', sort));
  if (sort) for (let match = shift('$match'); match; match = shift('$match')) filters.push(parseFilterValue(match));
  const skip = shift('$skip');
  if (skip) head.skip = wholeNumber('$skip', skip, 0);
  const limit = shift('$limit');
  if (limit) head.limit = wholeNumber('$limit', limit, 1);
  return { ...head, filter: allOf(filters) };
}

export function runStages(source: Rows, rest: Stage[], context: LookupContext): Rows {
  let rows = source;
  for (const [i, { name, value }] of rest.entries()) {
    const next = rest[i + 1];
    // A limit right behind a sort keeps the sort from holding on to everything.
    if (name === '$sort' && next?.name === '$limit') {
      rows = sortRows(rows, parseSort(objectOf(name, value)), wholeNumber('$limit', next.value, 1));
    } else rows = (stages[name] as Build)(rows, value, context);
  }
  return rows;
}
