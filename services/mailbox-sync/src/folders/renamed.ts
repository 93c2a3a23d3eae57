/** Facts that distinguish a renamed folder from a new one. */
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

/** The id of each renamed folder by its new path: one name is gone, and a new one has the same UIDVALIDITY. */
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
    // With two candidates the rename is ambiguous, and their messages are matched one by one.
    const [only] = same;
    if (same.length === 1 && only) renamed.set(path, only.id);
  }
  return renamed;
}
