import { readLength, skipName, valueEnd } from '../bson/raw.ts';

/** The top-level fields in which two documents differ, by name: what is the same needs no look at its index. */
export function changedFields(before: Buffer, after: Buffer): ReadonlySet<string> {
  const changed = new Set<string>();
  const untold = new Map<string, Buffer>();
  const old = elementsOf(before);
  const now = elementsOf(after);
  // Most updates leave every field in its place, so that places are compared first, and names only where they differ.
  for (;;) {
    const a = old.next();
    const b = now.next();
    if (a.done && b.done) break;
    if (!a.done && !b.done && a.value.equals(b.value)) continue;
    if (!a.done) resolveField(a.value, untold, changed);
    if (!b.done) resolveField(b.value, untold, changed);
  }
  for (const name of untold.keys()) changed.add(name);
  return changed;
}

/** A field is the same when its element comes up on both sides; until then it waits for its like. */
function resolveField(element: Buffer, untold: Map<string, Buffer>, changed: Set<string>): void {
  const name = element.toString('utf8', 1, skipName(element, 1) - 1);
  const other = untold.get(name);
  if (!other) return void untold.set(name, element);
  untold.delete(name);
  if (!other.equals(element)) changed.add(name);
}

/** Type, name and value of each field, as they lie in the document. */
function* elementsOf(document: Buffer): Generator<Buffer, undefined> {
  const end = readLength(document, 0) - 1;
  for (let at = 4; at < end;) {
    const start = at;
    at = valueEnd(document[at] as number, document, skipName(document, at + 1));
    yield document.subarray(start, at);
  }
  return undefined;
}
