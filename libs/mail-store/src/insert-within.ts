import { bounds } from '@postroom/contract/bounds';
import { refuse } from '@postroom/errors/refuse';

interface Insertion<T> {
  /** Without the one that is made: it may have been made before, by the same call. */
  countOthers(): Promise<number>;
  insert(): Promise<T>;
  takeBack(): Promise<unknown>;
}

/** One more of what a workspace holds a bounded number of. */
export async function insertWithin<T>(
  what: keyof typeof bounds.perWorkspace,
  { countOthers, insert, takeBack }: Insertion<T>,
): Promise<T> {
  const most = bounds.perWorkspace[what];
  if ((await countOthers()) >= most) refuse(what, `a workspace holds at most ${most}`);
  const made = await insert();
  // Several callers may have seen the last free slot. A caller that exceeds the bound now removes its document again.
  if ((await countOthers()) < most) return made;
  await takeBack();
  return refuse(what, `a workspace holds at most ${most}`);
}
