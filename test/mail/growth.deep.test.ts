import { describe, expect, it } from '@jest/globals';
import { growthOf, LINEAR } from '../support/growth.ts';
import { hostilePieces, textFunctions } from './text-functions.ts';

const LONGEST = 256 * 1024;

describe('text of strangers and callers', () => {
  it.each(Object.entries(textFunctions))('takes a time that grows with its length, up to 256 KB: %s', (_name, work) => {
    const slow = hostilePieces.filter((piece) => {
      const textOf = (size: number) => `${piece.repeat(Math.ceil(size / piece.length))}\u0001`;
      return growthOf((size) => void work(textOf(size)), LONGEST) > LINEAR;
    });
    expect(slow).toEqual([]);
  });
});
