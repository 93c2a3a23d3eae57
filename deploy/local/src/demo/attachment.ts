import type { AttachmentPart } from '@postroom/mail-store/documents/email';
import type { Random } from './random.ts';

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  ics: 'text/calendar',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function describeAttachment(filename: string, random: Random): AttachmentPart {
  const mimeType = TYPES[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { filename, mimeType, size: random.between(300, 2_400) };
}

/** Bytes of the described size. Nobody opens them, because only the metadata is stored. */
export function attachmentBytes({ filename, size }: AttachmentPart): Buffer {
  return Buffer.alloc(size, `content of ${filename.replaceAll(/[^\x20-\x7e]/g, '?')}\n`);
}
