const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The attributes of a tag by their names in small letters, as written. Of two with one name, the first holds. */
export function readAttributes(written: string): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const [, name = '', one, two, three] of written.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!read.has(key)) read.set(key, one ?? two ?? three ?? '');
  }
  return read;
}
