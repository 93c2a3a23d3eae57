import { decodeText } from './charset.ts';
import { cut } from './cut.ts';
import { decodeWords } from './encoded-words.ts';
import type { Entity } from './entity.ts';
import { type Header, readHeader } from './header-block.ts';
import { type MessageBounds, MimeRefused } from './message-bounds.ts';
import { type DashLines, findDashLines, splitMultipart } from './multipart.ts';
import { parseStructured } from './parameters.ts';
import { readText } from './text-part.ts';
import { decodedSize } from './transfer.ts';

export interface Attachment {
  filename: string;
  size: number;
  mimeType: string;
}

/** A piece of the visible message in the forms it came in. */
export interface Section {
  text: string | null;
  html: string | null;
}

interface PartContent {
  sections: Section[];
  attachments: Attachment[];
  /** Where each of the attachments stands. */
  entities: Entity[];
}

interface Walk {
  raw: Buffer;
  limits: MessageBounds;
  /** Of the whole message, once a multipart asks for them. */
  lines: DashLines | undefined;
  parts: number;
  attachments: Attachment[];
  entities: Entity[];
}

const LONGEST_NAME = 255;
export const LONGEST_TYPE = 255;
const LONGEST_FORWARDED = 100;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

export function describeEntity(header: Header, start: number, end: number, usualType = 'text/plain'): Entity {
  const type = parseStructured(header.first('content-type') ?? usualType);
  return {
    header,
    // A type that cannot be read means plain text (RFC 2045 §5.2).
    type: MEDIA_TYPE.test(type.value) ? type : { ...type, value: 'text/plain' },
    disposition: parseStructured(header.first('content-disposition') ?? ''),
    encoding: parseStructured(header.first('content-transfer-encoding') ?? '7bit').value,
    start,
    end,
  };
}

/** Takes the parts of a message apart. Attachments are measured and left alone: their content is nobody's here. */
export function readContent(raw: Buffer, entity: Entity, limits: MessageBounds): PartContent {
  const walk: Walk = { raw, limits, lines: undefined, parts: 0, attachments: [], entities: [] };
  const sections = readEntity(walk, entity, 0);
  return { sections, attachments: walk.attachments, entities: walk.entities };
}

function readEntity(walk: Walk, entity: Entity, depth: number): Section[] {
  walk.parts += 1;
  if (walk.parts > walk.limits.parts) throw new MimeRefused('tooManyParts');
  if (depth > walk.limits.depth) throw new MimeRefused('tooDeep');
  const boundary = entity.type.value.startsWith('multipart/') ? entity.type.parameters.get('boundary') : undefined;
  const ranges = boundary ? rangesOf(walk, entity, boundary) : [];
  if (ranges.length > 0) return readMultipart(walk, entity, ranges, depth);
  return readLeaf(walk, entity);
}

function rangesOf(walk: Walk, entity: Entity, boundary: string): [number, number][] {
  walk.lines ??= findDashLines(walk.raw, entity.start, entity.end);
  return splitMultipart(walk.raw, walk.lines, entity, boundary, walk.limits.parts);
}

function readMultipart(walk: Walk, parent: Entity, ranges: readonly [number, number][], depth: number): Section[] {
  const usualType = parent.type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  const sections = ranges.map(([start, end]) => {
    const { header, bodyStart } = readHeader(walk.raw, start, end, walk.limits);
    return readEntity(walk, describeEntity(header, bodyStart, end, usualType), depth + 1);
  });
  return parent.type.value === 'multipart/alternative' ? oneOf(sections) : sections.flat();
}

/** Alternatives say the same thing: the first text and the last html are kept, the richest form coming last. */
function oneOf(alternatives: readonly Section[][]): Section[] {
  const texts = alternatives.map((sections) => joined(sections, 'text')).filter((text) => text !== null);
  const htmls = alternatives.map((sections) => joined(sections, 'html')).filter((html) => html !== null);
  if (texts.length + htmls.length === 0) return [];
  return [{ text: texts[0] ?? null, html: htmls.at(-1) ?? null }];
}

function joined(sections: readonly Section[], form: 'text' | 'html'): string | null {
  const pieces = sections.map((section) => section[form]).filter((piece) => piece !== null);
  return pieces.length === 0 ? null : pieces.join('\n');
}

/** Whether a part belongs to the visible message. A multipart whose boundary never comes is shown as text. */
export function isShownPart(type: string, disposition: string, name: string): boolean {
  const isText = isTextPart(type) || type === 'text/html';
  return isText && disposition !== 'attachment' && name === '';
}

const isTextPart = (type: string): boolean => type === 'text/plain' || type.startsWith('multipart/');

function readLeaf(walk: Walk, entity: Entity): Section[] {
  const { type } = entity;
  const name = fileName(entity);
  const isText = isTextPart(type.value);
  const isShown = isShownPart(type.value, entity.disposition.value, name);
  const body = walk.raw.subarray(entity.start, entity.end);
  if (!isShown) {
    const size = decodedSize(body, entity.encoding);
    walk.entities.push(entity);
    walk.attachments.push({
      filename: name || nameByType(type.value, () => forwardedSubject(walk.raw, entity)),
      size,
      mimeType: cut(type.value, LONGEST_TYPE),
    });
    return [];
  }
  const text = readText(body, entity, walk.limits.textBytes);
  return [isText ? { text, html: null } : { text: null, html: text }];
}

function fileName({ disposition, type }: Entity): string {
  return plainName(disposition.parameters.get('filename') ?? type.parameters.get('name') ?? '');
}

export function plainName(name: string): string {
  // Only the last part of a path is a name: some programs send the whole path, and some senders hope it is used.
  return cut(decodeWords(name).replace(TURNED, '').split(/[\\/]/).at(-1)?.trim() ?? '', LONGEST_NAME);
}

/** Control characters that change the visible order of letters: "gpj.exe" would show as "exe.jpg". */
const TURNED = /[\u202a-\u202e\u2066-\u2069]/g;

const NAMES_BY_TYPE: Readonly<Record<string, string>> = {
  'text/calendar': 'invite.ics',
  'application/ms-tnef': 'winmail.dat',
  'application/pkcs7-signature': 'smime.p7s',
  'application/x-pkcs7-signature': 'smime.p7s',
  'application/pkcs7-mime': 'smime.p7m',
  'application/x-pkcs7-mime': 'smime.p7m',
  'application/pgp-signature': 'signature.asc',
  'application/pgp-encrypted': 'encrypted.asc',
  'message/delivery-status': 'delivery-status.txt',
};

/** Every attachment has a name in the API, so a nameless one is named by what it is. */
export function nameByType(type: string, subject: () => string): string {
  const known = NAMES_BY_TYPE[type];
  if (known) return known;
  if (type === 'message/rfc822') return `${subjectName(subject())}.eml`;
  const kind = type
    .split('/')[1]
    ?.replace(/^x-/, '')
    .replace(/[^a-z0-9]/g, '');
  return `attachment.${kind && kind.length <= 8 ? kind : 'bin'}`;
}

function forwardedSubject(raw: Buffer, { start, end }: Entity): string {
  // Enough for a subject near the top; a longer header of a forwarded message is not worth a refusal.
  const line = decodeText(raw.subarray(start, Math.min(end, start + 16_384))).match(/^subject:[ \t]*(.{1,200})/imu);
  return decodeWords(line?.[1] ?? '');
}

function subjectName(subject: string): string {
  return cut(subject.replace(/[\\/:*?"<>|]+/g, ' ').trim(), LONGEST_FORWARDED) || 'message';
}
