import { describe, expect, it } from '@jest/globals';
import { parseStructured } from './parameters.ts';

const parameter = (field: string, name: string) => parseStructured(field).parameters.get(name);

describe('structured fields', () => {
  it('a value and its parameters, quoted or not', () => {
    const { value, parameters } = parseStructured('Text/HTML (old); charset="utf-8"; Format=flowed; x="a;b"');
    expect(value).toBe('text/html');
    expect(Object.fromEntries(parameters)).toEqual({ charset: 'utf-8', format: 'flowed', x: 'a;b' });
  });

  it('pieces of RFC 2231, in any order, some of them encoded', () => {
    expect(parameter('a; name*1*=%A4; name*0*=utf-8\'\'%C3; name*2=".pdf"', 'name')).toBe('ä.pdf');
  });

  it('the extended form wins over the plain one beside it', () => {
    expect(parameter("a; name=plain.pdf; name*=utf-8''%C3%A4.pdf", 'name')).toBe('ä.pdf');
  });

  it('names of the prototype are names', () => {
    expect(parameter('a; constructor=b', 'constructor')).toBe('b');
    expect(parameter('a', 'constructor')).toBeUndefined();
  });
});
