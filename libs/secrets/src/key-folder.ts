import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** A key that wraps the keys of documents; its id is the name of its file. */
export interface MasterKey {
  id: string;
  bytes: Buffer;
}

interface KeyFolder {
  /** The newest first. */
  keys: MasterKey[];
  /** The names of files that hold no key, or that cannot be read. */
  unreadable: string[];
}

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{43}=\s*$/;

/**
 * The keys of a folder, the newest first. The newest is the last by name, because all files of a mounted folder have one
 * date. The folder is read at each use, so a file that is added or removed counts from then on.
 */
export async function readKeys(folder: string): Promise<KeyFolder> {
  const files = await readdir(folder, { withFileTypes: true });
  // Kubernetes keeps hidden folders beside the mounted files.
  const ids = files.filter((file) => !file.name.startsWith('.') && !file.isDirectory()).map(({ name }) => name);
  const newestFirst = ids.sort().reverse();
  const read = await Promise.all(newestFirst.map(async (id) => ({ id, bytes: await keyIn(join(folder, id)) })));
  return {
    keys: read.flatMap(({ id, bytes }) => (bytes ? [{ id, bytes }] : [])),
    unreadable: read.flatMap(({ id, bytes }) => (bytes ? [] : [id])),
  };
}

/** Undefined for a file without a key: it must not keep the other keys from opening what they sealed. */
async function keyIn(path: string): Promise<Buffer | undefined> {
  const content = await readFile(path).catch(() => Buffer.alloc(0));
  if (content.length === KEY_BYTES) return content;
  const text = content.toString('latin1');
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The sentence for an operator about files of the folder. */
export function unreadableKeys(ids: readonly string[]): string {
  return `These key files must hold ${KEY_BYTES} bytes, or their base64, and be readable: ${ids.join(', ')}.`;
}

/** Makes the folder and a first key if there is none. Only its owner can read them. */
export async function makeFirstKey(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { keys, unreadable } = await readKeys(folder);
  if (keys.length + unreadable.length > 0) return;
  const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  await writeFile(join(folder, id), key, { mode: 0o600, flag: 'wx' });
}
