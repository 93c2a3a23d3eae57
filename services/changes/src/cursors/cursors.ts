import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import { refuse } from '@postroom/errors/refuse';

const FORM = /^[\w-]{22}$/;
const CIPHER = 'aes-256-ecb';

/**
 * One block: the number of a change behind eight zero bytes, enciphered under a key made of the workspace. It says nothing
 * to anybody else and is good in that workspace alone. A secret would add nothing, since a cursor opens only what its
 * caller may read anyway, and would end every cursor when it changes.
 */
export function writeCursor(workspaceId: string, seq: number): string {
  const block = Buffer.alloc(16);
  block.writeBigUInt64BE(BigInt(seq), 8);
  const cipher = createCipheriv(CIPHER, keyOf(workspaceId), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
}

export function readCursor(workspaceId: string, cursor: string): number {
  if (!FORM.test(cursor)) refuseCursor();
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) refuseCursor();
  const decipher = createDecipheriv(CIPHER, keyOf(workspaceId), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(bytes), decipher.final()]);
  if (block.readBigUInt64BE(0) !== 0n) refuseCursor();
  return Number(block.readBigUInt64BE(8));
}

export function refuseCursor(): never {
  return refuse('since', 'is not a cursor of this workspace; begin without one, or with now');
}

const keyOf = (workspaceId: string): Buffer => hash('sha256', `changes of ${workspaceId}`, 'buffer');
