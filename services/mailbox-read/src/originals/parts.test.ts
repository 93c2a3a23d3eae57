import { describe, expect, it } from '@jest/globals';
import { carriedImageBounds } from '@postroom/mime/image-type';
import { partsOf } from './parts.ts';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');

interface Part {
  type: string;
  headers?: string[];
  content: Buffer;
}

const partText = ({ type, headers = [], content }: Part) =>
  [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...headers,
    '',
    content.toString('base64').replace(/.{76}/g, '$&\r\n'),
  ].join('\r\n');

function mailOf(parts: readonly Part[]): Buffer {
  const body = parts.map((part) => `--b\r\n${partText(part)}\r\n`).join('');
  return Buffer.from(`From: a@b.example\r\nContent-Type: multipart/related; boundary=b\r\n\r\n${body}--b--\r\n`);
}

const image = (id: string, content = PNG, type = 'image/png'): Part => ({
  type,
  headers: [`Content-ID: <${id}>`],
  content,
});
const imagesOf = (raw: Buffer, contentIds: string[]) => {
  const found = partsOf(raw, { kind: 'images', contentIds });
  return found.kind === 'images' ? found.images.map(({ contentId, mimeType }) => [contentId, mimeType]) : found;
};

describe('an attachment of a message', () => {
  it('is the part at its position, decoded, whatever it is', () => {
    const hostile = { type: 'text/html; name="../evil.html"', content: Buffer.from('<script>x()</script>') };
    const raw = mailOf([{ type: 'text/plain', content: Buffer.from('Hello') }, hostile, image('logo')]);
    expect(partsOf(raw, { kind: 'attachment', position: 0 })).toEqual({
      kind: 'attachment',
      attachment: { filename: 'evil.html', mimeType: 'text/html', content: hostile.content },
    });
    expect(partsOf(raw, { kind: 'attachment', position: 2 })).toEqual({ kind: 'attachment', attachment: null });
    expect(partsOf(raw, { kind: 'attachment', position: -1 })).toEqual({ kind: 'attachment', attachment: null });
  });

  it('is refused in a message that is nested or divided beyond the bounds', () => {
    const deep = Array.from(
      { length: 60 },
      (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
    );
    const nested = `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${deep.join('')}`;
    expect(partsOf(Buffer.from(nested), { kind: 'attachment', position: 0 })).toEqual({ kind: 'refused' });
    const many = mailOf(Array.from({ length: 2_100 }, () => image('x')));
    expect(partsOf(many, { kind: 'images', contentIds: ['x'] })).toEqual({ kind: 'refused' });
  });
});

describe('the images that a message carries', () => {
  it('have the type of their bytes, and what is no picture of dots is none', () => {
    const raw = mailOf([
      image('png', PNG, 'application/x-any'),
      image('svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'), 'image/svg+xml'),
      image('html', Buffer.from('<script>x()</script>'), 'image/png'),
      image('gif', Buffer.from('GIF89a;'), 'application/octet-stream'),
    ]);
    expect(imagesOf(raw, ['png', 'svg', 'html', 'gif', 'unknown'])).toEqual([
      ['png', 'image/png'],
      ['gif', 'image/gif'],
    ]);
  });

  it('are the first of each id, and those alone that are asked for', () => {
    const first = Buffer.concat([PNG, Buffer.from('first')]);
    const raw = mailOf([image('a', first), image('a'), image('b')]);
    const found = partsOf(raw, { kind: 'images', contentIds: ['a'] });
    expect(found).toMatchObject({ images: [{ contentId: 'a', content: first }] });
    expect(imagesOf(raw, [])).toEqual([]);
  });

  it('are few, and small in their sum', () => {
    const ids = Array.from({ length: carriedImageBounds.count + 10 }, (_, n) => `i${n}`);
    expect(imagesOf(mailOf(ids.map((id) => image(id))), ids)).toHaveLength(carriedImageBounds.count);
    const large = Buffer.concat([PNG, Buffer.alloc(carriedImageBounds.bytes / 2)]);
    expect(imagesOf(mailOf([image('a', large), image('b', large), image('c')]), ['a', 'b', 'c'])).toEqual([
      ['a', 'image/png'],
      ['c', 'image/png'],
    ]);
  });
});
