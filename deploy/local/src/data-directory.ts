import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartOptionError } from './start-option-error.ts';

export interface DataDirectory {
  path: string;
  /** Whole or not at all: a reader never sees half a file. */
  write(name: string, value: unknown): void;
  read<T>(name: string): T | undefined;
  remove(name: string): void;
  /** Lets the next `npm start` have it. */
  release(): void;
}

const OWNER = 'pid';
/** The files of the product. --fresh removes these and nothing else, because a user may keep files beside them. */
const OURS = ['mongodb', 'ready.json', 'addresses.json', 'demo.json', OWNER];

/** The folder that holds everything a local run keeps; one running `npm start` at a time owns it. */
export function openDataDirectory(path: string, fresh: boolean): DataDirectory {
  keepToOwner(path);
  refuseSecondOwner(path);
  if (fresh) for (const name of OURS) rmSync(join(path, name), { recursive: true, force: true });
  writeFileSync(join(path, OWNER), String(process.pid), { mode: 0o600 });

  const remove = (name: string) => rmSync(join(path, name), { force: true });
  return {
    path,
    remove,
    release: () => remove(OWNER),
    read: <T>(name: string) => {
      const file = join(path, name);
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
    },
    write: (name, value) => {
      const file = join(path, name);
      // The demo's keys are secrets, if only of this machine.
      writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

/** Keys and mail lie there: the folder is its owner's alone, and so is all that an earlier version left readable in it. */
function keepToOwner(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600);
    else if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
  }
}

function refuseSecondOwner(path: string): void {
  const file = join(path, OWNER);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (!isAlive(pid)) return;
  throw new StartOptionError(
    `Postroom is already running on ${path} as process ${pid}; stop it, or give another folder with --data`,
  );
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
