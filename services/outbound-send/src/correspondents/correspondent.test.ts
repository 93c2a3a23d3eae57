import { describe, expect, it } from '@jest/globals';
import { correspondentOf } from './correspondent.ts';

describe('a correspondent', () => {
  it.each(['bob@bücher.example', 'BOB@xn--bcher-kva.example', 'bob+1@bücher.example', 'Bob+a+b@BÜCHER.example'])(
    'is one, whether he writes %s or not',
    (address) => expect(correspondentOf(address)).toBe('bob@xn--bcher-kva.example'),
  );

  it('has a name before the plus', () => expect(correspondentOf('+bob@other.example')).toBe('+bob@other.example'));
});
