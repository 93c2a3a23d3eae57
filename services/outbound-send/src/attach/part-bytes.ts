import type { Original, AttachedPart } from '@postroom/mime/original';
import { decodeTransfer } from '@postroom/mime/transfer';
import { contentId, contentType, disposition } from './content-header.ts';
import { inBase64, traitsOf, withPlainEnds } from './wire-safe.ts';

/** Encodings whose result is ASCII alone, if the content is what it claims to be. */
const TAKEN_OVER = new Set(['base64', 'quoted-printable', '7bit']);

/** A part of another message as one of ours: its header is made anew, its content is taken over where servers bear it. */
export function partBytes({ raw }: Pick<Original, 'raw'>, { filename, entity }: AttachedPart): Buffer[] {
  const { encoding, start, end } = entity;
  const content = raw.subarray(start, end);
  const { isSafe, isAscii, hasPlainEnds } = traitsOf(content);
  const isMessage = entity.type.value.startsWith('message/');
  const id = contentId(entity);
  const header = (type: string, how: string) =>
    [type, `Content-Transfer-Encoding: ${how}`, disposition(entity, filename), ...(id ? [`Content-ID: ${id}`] : [])]
      .join('\r\n')
      .concat('\r\n\r\n');
  if (isSafe && (isAscii ? TAKEN_OVER.has(encoding) : isMessage)) {
    const how = isAscii ? encoding : '8bit';
    return [Buffer.from(header(contentType(entity), how)), hasPlainEnds ? content : withPlainEnds(content)];
  }
  // A message must not be encoded, nor what has parts (RFC 2046 5.2.1): as a file it may.
  const isWhole = isMessage || entity.type.value.startsWith('multipart/');
  const type = isWhole ? 'Content-Type: application/octet-stream' : contentType(entity);
  return [Buffer.from(header(type, 'base64')), inBase64(decodeTransfer(content, encoding))];
}
