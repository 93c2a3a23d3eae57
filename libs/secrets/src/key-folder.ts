import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** A key that wraps the keys of documents; its id is the name of its file. */
export interface MasterKey {
  id: string;
  bytes: Buffer;
}

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{43}=\s*$/;

/**
 * The keys of a folder, the newest first. The newest is the last by name, because all files of a mounted folder have one
 * date. The folder is read at each use, so a file that is added or removed counts from then on.
 */
export async function readKeys(folder: string): Promise<MasterKey[]> {
  const files = await readdir(folder, { withFileTypes: true });
  // Kubernetes keeps hidden folders beside the mounted files.
  const ids = files.filter((file) => !file.name.startsWith('.') && !file.isDirectory()).map(({ name }) => name);
  const newestFirst = ids.sort().reverse();
  return Promise.all(newestFirst.map(async (id) => ({ id, bytes: keyIn(await readFile(join(folder, id)), id) })));
}

function keyIn(content: Buffer, id: string): Buffer {
  if (content.length === KEY_BYTES) return content;
  const text = content.toString('latin1');
  if (BASE64.test(text)) return Buffer.from(text, 'base64');
  throw new Error(`the key file ${id} must hold ${KEY_BYTES} bytes, or their base64`);
}

/** Makes the folder and a first key if there is none. Only its owner can read them. */
export async function makeFirstKey(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readKeys(folder)).length > 0) return;
  const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  await writeFile(join(folder, id), key, { mode: 0o600, flag: 'wx' });
}
