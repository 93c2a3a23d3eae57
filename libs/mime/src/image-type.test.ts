import { expect, it } from '@jest/globals';
import { rasterTypeOf } from './image-type.ts';

it.each([
  ['\x89PNG\r\n\x1a\n rest', 'image/png'],
  ['\xff\xd8\xff\xe0 rest', 'image/jpeg'],
  ['GIF87a rest', 'image/gif'],
  ['GIF89a rest', 'image/gif'],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['RIFF\x10\x00\x00\x00WAVEfmt ', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>', undefined],
  ['<!doctype html><script>x()</script>', undefined],
  ['\x89PNG', undefined],
  ['BM rest', undefined],
  ['', undefined],
])('the bytes %j are %s', (bytes, type) => expect(rasterTypeOf(Buffer.from(bytes, 'latin1'))).toBe(type));
