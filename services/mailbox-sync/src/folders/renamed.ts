/** What tells a folder under a new name from a new folder. */
interface Known {
  id: string;
  path: string;
  uidValidity: number;
  uidNext: number;
}

interface Listed {
  path: string;
  status: { uidValidity: number; uidNext: number } | null;
}

/** By the path of each renamed folder its id: a name is gone, and a new one counts its mail from the same start. */
export function renamedFolders(known: readonly Known[], listed: readonly Listed[]): Map<string, string> {
  const paths = new Set(listed.map(({ path }) => path));
  const gone = known.filter(({ path }) => !paths.has(path));
  const before = new Set(known.map(({ path }) => path));
  const renamed = new Map<string, string>();
  for (const { path, status } of listed) {
    if (before.has(path) || !status) continue;
    const same = gone.filter(
      ({ uidValidity, uidNext }) => uidValidity === status.uidValidity && uidNext <= status.uidNext,
    );
    // Where two could be meant nobody knows, and their mail is told apart one by one.
    const [only] = same;
    if (same.length === 1 && only) renamed.set(path, only.id);
  }
  return renamed;
}
