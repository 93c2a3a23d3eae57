import { Type, readLength, skipName, valueEnd, findElement } from '../bson/raw.ts';

/** Sees one value; true ends the walk. A missing value is shown as `Type.missing`. */
export type Visit = (type: number, buf: Buffer, start: number, end: number) => boolean;

interface PathStep {
  name: Buffer;
  /** The place in an array this step names, or -1. */
  position: number;
}

export interface Path {
  text: string;
  /** The field of the document it begins with. */
  first: string;
  steps: PathStep[];
}

export function parsePath(text: string): Path {
  const steps = text
    .split('.')
    .map((name) => ({ name: Buffer.from(name), position: /^\d+$/.test(name) ? Number(name) : -1 }));
  return { text, first: text.split('.', 1)[0] as string, steps };
}

/**
 * Shows every value a path leads to, the way MongoDB's matcher walks: through the elements of arrays on the way,
 * and, with `spread`, through the elements of an array at its end, then that array itself.
 */
export function visitPath(buf: Buffer, start: number, path: Path, spread: boolean, visit: Visit): boolean {
  return walk(buf, start, path.steps, 0, spread, visit);
}

function walk(buf: Buffer, start: number, steps: PathStep[], depth: number, spread: boolean, visit: Visit): boolean {
  const step = steps[depth] as PathStep;
  const at = findElement(buf, start, step.name);
  if (at < 0) return visit(Type.missing, buf, 0, 0);
  const type = buf[at] as number;
  const valueStart = at + step.name.length + 2;
  if (depth === steps.length - 1) {
    return arrive(type, buf, valueStart, valueEnd(type, buf, valueStart), spread, visit);
  }
  if (type === Type.object) return walk(buf, valueStart, steps, depth + 1, spread, visit);
  if (type === Type.array) return walkArray(buf, valueStart, steps, depth + 1, spread, visit);
  return visit(Type.missing, buf, 0, 0);
}

function arrive(type: number, buf: Buffer, start: number, end: number, spread: boolean, visit: Visit): boolean {
  if (type === Type.array && spread && visitElements(buf, start, visit)) return true;
  return visit(type, buf, start, end);
}

export function visitElements(buf: Buffer, start: number, visit: Visit): boolean {
  const end = start + readLength(buf, start) - 1;
  let at = start + 4;
  while (at < end) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    const stop = valueEnd(type, buf, valueStart);
    if (visit(type, buf, valueStart, stop)) return true;
    at = stop;
  }
  return false;
}

function walkArray(
  buf: Buffer,
  start: number,
  steps: PathStep[],
  depth: number,
  spread: boolean,
  visit: Visit,
): boolean {
  const { position } = steps[depth] as PathStep;
  const end = start + readLength(buf, start) - 1;
  let at = start + 4;
  for (let index = 0; at < end; index += 1) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    const stop = valueEnd(type, buf, valueStart);
    if (index === position && walkPosition(type, buf, valueStart, stop, steps, depth, spread, visit)) return true;
    // A number in a path names a place of this array, or a field of its elements, but then only one that is there.
    if (type === Type.object && (position < 0 || findElement(buf, valueStart, (steps[depth] as PathStep).name) >= 0)) {
      if (walk(buf, valueStart, steps, depth, spread, visit)) return true;
    }
    at = stop;
  }
  return false;
}

function walkPosition(
  type: number,
  buf: Buffer,
  start: number,
  end: number,
  steps: PathStep[],
  depth: number,
  spread: boolean,
  visit: Visit,
): boolean {
  if (depth === steps.length - 1) return arrive(type, buf, start, end, spread, visit);
  if (type === Type.object) return walk(buf, start, steps, depth + 1, spread, visit);
  if (type === Type.array) return walkArray(buf, start, steps, depth + 1, spread, visit);
  return false;
}
