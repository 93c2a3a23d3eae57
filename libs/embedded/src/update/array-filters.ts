import { Type, type RawValue, elements } from '../bson/raw.ts';
import { type Node, close, isArray, openChild } from '../bson/tree.ts';
import { CommandError, badValue, failedToParse } from '../protocol/errors.ts';
import type { Filter } from '../filter/ast.ts';
import { parseFilter } from '../filter/filter.ts';
import { compileValueMatcher } from '../filter/matcher.ts';
import { buildDocument } from '../bson/build.ts';

/** The conditions of `$[name]` in update paths. */
export type ArrayFilters = Map<string, (element: RawValue) => boolean>;

function identifierOf(filter: Filter): string {
  if (filter.kind === 'test') return filter.test.path.text.split('.')[0] ?? '';
  if (filter.kind === 'not') return identifierOf(filter.part);
  if (filter.kind === 'expr') throw badValue('$expr is not allowed in arrayFilters');
  const names = new Set(filter.parts.map(identifierOf));
  const [name] = names;
  if (names.size !== 1 || !name) throw failedToParse('Expected a single top-level field name in an array filter');
  return name;
}

/** Each filter speaks of one name; the element stands under that name when it is matched. */
export function parseArrayFilters(value: RawValue | undefined): ArrayFilters {
  const filters: ArrayFilters = new Map();
  if (!value) return filters;
  if (value.type !== Type.array) throw badValue('arrayFilters must be an array');
  for (const item of elements(value.buf, value.start)) {
    const filter = parseFilter(item.value.buf, item.value.start);
    const name = identifierOf(filter);
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    const matches = compileValueMatcher(filter);
    filters.set(name, (element) => {
      const buf = buildDocument([{ name, value: element }]);
      return matches({ type: Type.object, buf, start: 0, end: buf.length });
    });
  }
  return filters;
}

/** The paths a path with `$[]` or `$[name]` stands for in this document. */
export function expandPath(root: Node, steps: string[], filters: ArrayFilters): string[][] {
  const at = steps.findIndex((step) => step.startsWith('$['));
  if (at < 0) return [steps];
  const before = steps.slice(0, at);
  let node: Node | undefined = root;
  for (const step of before) node = node && openChild(node, step);
  if (!node || !isArray(node)) {
    throw badValue(`The path '${before.join('.')}' must exist in the document in order to apply array updates.`);
  }
  const name = (steps[at] as string).slice(2, -1);
  const matches = name === '' ? () => true : filters.get(name);
  if (!matches)
    throw new CommandError(2, `No array filter found for identifier '${name}' in path '${steps.join('.')}'`);
  return node.items.flatMap((item, index) =>
    matches(close(item)) ? expandPath(root, [...before, String(index), ...steps.slice(at + 1)], filters) : [],
  );
}
