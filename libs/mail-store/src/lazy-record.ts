/** A record whose values are made when they are first read, each once. */
export function lazyRecord<Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> {
  const record = {} as Record<Name, T>;
  for (const name of names) {
    const get = (): T => {
      const value = make(name);
      Object.defineProperty(record, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(record, name, { get, enumerable: true, configurable: true });
  }
  return record;
}
