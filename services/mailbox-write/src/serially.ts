export type Serially = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work of one key goes one after the other, in the order it was asked for; other keys go on beside it. */
export function createSerially(): Serially {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const forget = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}
