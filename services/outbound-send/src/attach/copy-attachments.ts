import { createHash } from 'node:crypto';
import type { AutoForwardMode } from '@postroom/contract/lists';
import { type Original, readOriginal } from '@postroom/mime/original';
import { contentId, contentType } from './content-header.ts';
import { partBytes } from './part-bytes.ts';
import { splitComposed } from './split-composed.ts';
import { traitsOf, withPlainEnds } from './wire-safe.ts';

/** The mode of forwards of an earlier version, which did not store it. */
export const FORMER_MODE: AutoForwardMode = 'normal';

/**
 * A message made here, with what was attached to the message that it passes on. The same two give the same bytes, so
 * that a repeat after a crash is the same message.
 */
export function copyAttachments(made: Buffer, message: Buffer, mode: AutoForwardMode): Buffer {
  const original = readOriginal(message);
  return (mode === 'invisible' && asItWas(made, original)) || attached(made, original);
}

/** The unchanged content under headers of ours; null when some servers would not accept it. */
function asItWas(made: Buffer, { raw, entity }: Original): Buffer | null {
  const content = raw.subarray(entity.start, entity.end);
  const { isSafe, isAscii, hasPlainEnds } = traitsOf(content);
  const isKnown = ['base64', 'quoted-printable', '7bit', '8bit'].includes(entity.encoding);
  if (!isSafe || !isKnown) return null;
  const how = isAscii || entity.encoding !== '7bit' ? entity.encoding : '8bit';
  const header = [...splitComposed(made).message, contentType(entity), `Content-Transfer-Encoding: ${how}`];
  return Buffer.concat([...lines(header, ''), hasPlainEnds ? content : withPlainEnds(content)]);
}

/** Parts that the text shows inline come with the text. All others follow both. */
function attached(made: Buffer, original: Original): Buffer {
  const { message, content, body } = splitComposed(made);
  const shown = original.attached.filter(
    ({ entity }) => contentId(entity) && entity.disposition.value !== 'attachment',
  );
  const others = original.attached.filter((part) => !shown.includes(part));
  const bytesOf = (parts: Original['attached']) => parts.map((part) => partBytes(original, part));
  const name = (kind: string) => `${kind}-${createHash('sha256').update(`${kind} ${message.join()}`).digest('hex')}`;
  const text = [...lines(content, ''), body];
  const inner = shown.length > 0 ? multipart('related', name('related'), [text, ...bytesOf(shown)]) : text;
  return Buffer.concat([
    ...lines(message),
    ...(others.length > 0 ? multipart('mixed', name('mixed'), [inner, ...bytesOf(others)]) : inner),
  ]);
}

function multipart(kind: 'mixed' | 'related', boundary: string, parts: readonly (readonly Buffer[])[]): Buffer[] {
  return [
    ...lines([`Content-Type: multipart/${kind};`, ` boundary="${boundary}"`, '']),
    ...parts.flatMap((part) => [...lines([`--${boundary}`]), ...part, ...lines([''])]),
    ...lines([`--${boundary}--`]),
  ];
}

function lines(all: readonly string[], ...more: string[]): Buffer[] {
  return [Buffer.from([...all, ...more].map((line) => `${line}\r\n`).join(''), 'latin1')];
}
