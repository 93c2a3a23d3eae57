/** Every owner once, those behind the last one first. `next` finds the first owner behind another. */
export async function* inRotation(
  last: string,
  next: (behind: string) => Promise<string | undefined>,
): AsyncGenerator<string> {
  let hasWrapped = last === '';
  for (let behind = last; ;) {
    const owner = await next(behind);
    if (owner !== undefined && !(hasWrapped && last !== '' && owner > last)) {
      behind = owner;
      yield owner;
      continue;
    }
    if (hasWrapped) return;
    [hasWrapped, behind] = [true, ''];
  }
}
