import type { Change } from './api-changes.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [keyword: string]: unknown;
}
export type Resolve = (part: object) => Schema;

interface Side {
  before: Resolve;
  after: Resolve;
  /** Whether a caller sends it: then asking for more breaks; else answering with less does. */
  sent: boolean;
}

/** The larger, the more is let through, or the less. */
const UPPER = ['maxLength', 'maxItems', 'maxProperties', 'maximum'];
const LOWER = ['minLength', 'minItems', 'minProperties', 'minimum'];
const SAME = ['type', 'format', 'pattern', 'const', 'additionalProperties'];

export function schemaChanges(where: string, was: Schema, is: Schema, side: Side, seen = new Set<string>()): Change[] {
  const pair = `${was.$ref} ${is.$ref}`;
  if (was.$ref && is.$ref) {
    // A tree refers to itself.
    if (seen.has(pair)) return [];
    seen = new Set([...seen, pair]);
  }
  const [old, now] = [side.before(was), side.after(is)];
  const inside = (at: string, a: Schema, b: Schema) => schemaChanges(`${where}${at}`, a, b, side, seen);
  return [
    ...keywordChanges(where, old, now, side),
    ...enumChanges(where, old, now, side),
    ...propertyChanges(where, old, now, side, inside),
    ...(old.items && now.items ? inside('[]', old.items, now.items) : []),
    ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((name) => formChanges(where, name, old, now, side, inside)),
  ];
}

function keywordChanges(where: string, old: Schema, now: Schema, { sent }: Side): Change[] {
  const changed = (names: string[]) => names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  const told = (name: string, breaks: boolean): Change => {
    const what = `${name} is ${JSON.stringify(now[name]) ?? 'gone'} and was ${JSON.stringify(old[name]) ?? 'not there'}`;
    return { where, what, breaks };
  };
  const bound = (name: string, none: number) => [Number(old[name] ?? none), Number(now[name] ?? none)] as const;
  return [
    // A condition that is dropped refuses nothing that was taken, and one that is added refuses something.
    ...changed(SAME).map((name) => told(name, sent ? now[name] !== undefined : old[name] !== undefined)),
    ...changed(UPPER).map((name) => {
      const [before, after] = bound(name, Infinity);
      return told(name, sent ? after < before : after > before);
    }),
    ...changed(LOWER).map((name) => {
      const [before, after] = bound(name, -Infinity);
      return told(name, sent ? after > before : after < before);
    }),
  ];
}

function enumChanges(where: string, old: Schema, now: Schema, { sent }: Side): Change[] {
  const [before, after] = [old.enum, now.enum];
  if (!before && !after) return [];
  if (!before || !after) return [{ where, what: `enum is ${after ? 'new' : 'gone'}`, breaks: sent === !!after }];
  const gone = before.filter((value) => !after.includes(value));
  const added = after.filter((value) => !before.includes(value));
  return [
    ...gone.map((value) => ({ where, what: `${String(value)} is no value any more`, breaks: sent })),
    ...added.map((value) => ({ where, what: `${String(value)} is a new value`, breaks: !sent })),
  ];
}

type Inside = (at: string, a: Schema, b: Schema) => Change[];

function propertyChanges(where: string, old: Schema, now: Schema, { sent }: Side, inside: Inside): Change[] {
  const [before, after] = [old.properties ?? {}, now.properties ?? {}];
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [was, is, at] = [before[name], after[name], `${where}.${name}`];
    const [hadTo, hasTo] = [old, now].map(({ required = [] }) => required.includes(name));
    if (!is) return [{ where: at, what: 'is gone', breaks: true }];
    if (!was) return [{ where: at, what: 'is new', breaks: sent && hasTo === true }];
    const demand: Change[] =
      hadTo === hasTo
        ? []
        : [{ where: at, what: hasTo ? 'must be there now' : 'may be missing now', breaks: sent === hasTo }];
    return [...demand, ...inside(`.${name}`, was, is)];
  });
}

function formChanges(
  where: string,
  name: 'anyOf' | 'oneOf' | 'allOf',
  old: Schema,
  now: Schema,
  { sent }: Side,
  inside: Inside,
): Change[] {
  const [before, after] = [old[name] ?? [], now[name] ?? []];
  if (before.length === after.length)
    return before.flatMap((form, at) => inside(name === 'allOf' ? '' : `(${at + 1})`, form, after[at] as Schema));
  const isMore = after.length > before.length;
  // Another condition that all must meet narrows; another form that may be chosen widens.
  const widens = name === 'allOf' ? !isMore : isMore;
  return [
    { where, what: `${name} has ${after.length} forms and had ${before.length}`, breaks: sent ? !widens : widens },
  ];
}
