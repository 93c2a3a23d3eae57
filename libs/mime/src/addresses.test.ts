import { describe, expect, it } from '@jest/globals';
import { parseAddresses } from './addresses.ts';

const read = (field: string) =>
  parseAddresses(field, 100).map(({ email, name }) => (name === null ? email : `${name} <${email}>`));

describe('addresses', () => {
  it.each([
    ['a@x.example', ['a@x.example']],
    ['Ann <a@X.Example>, b@y.example', ['Ann <a@x.example>', 'b@y.example']],
    ['"Bee, Ann" <a@x.example>', ['Bee, Ann <a@x.example>']],
    ['"Ann \\"A\\" Bee" <a@x.example>', ['Ann "A" Bee <a@x.example>']],
    ['=?utf-8?q?J=C3=B6rg=2C_K?= <j@x.example>', ['Jörg, K <j@x.example>']],
    ['Team: a@x.example, b@x.example;, c@x.example', ['a@x.example', 'b@x.example', 'c@x.example']],
    ['undisclosed-recipients:;', []],
    ['a@x.example (Ann (the one))', ['Ann (the one) <a@x.example>']],
    ['"real@bank.example" <evil@x.example>', ['real@bank.example <evil@x.example>']],
    ['"ann bee"@x.example', ['"ann bee"@x.example']],
    ['a@[192.0.2.1]', ['a@[192.0.2.1]']],
    ['Ann Bee', ['Ann Bee <>']],
    ['', []],
  ])('%s', (field, expected) => {
    expect(read(field)).toEqual(expected);
  });

  it('stops at as many as are wanted', () => {
    expect(parseAddresses('a@x.example, '.repeat(50), 3)).toHaveLength(3);
  });

  it('no name holds a line break, whatever it is encoded as', () => {
    const [address] = parseAddresses('=?utf-8?q?a=0D=0ABcc=3A_b=40y.example?= <a@x.example>', 1);
    expect(address?.name).toBe('a Bcc: b@y.example');
  });
});
