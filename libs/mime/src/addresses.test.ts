import { describe, expect, it } from '@jest/globals';
import { isAddress } from '@postroom/contract/address';
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
    ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', ['Pete <pete@silly.test>']],
    ["Chris <c@(Chris's > host.)public.example>, joe@example.org", ['Chris <c@public.example>', 'joe@example.org']],
    ['John <jdoe@one.test> (my dear friend); (the end of the group)', ['John <jdoe@one.test>']],
    ['(Empty list)(start)Hidden recipients  :(nobody(that I know))  ;', []],
    ['ann(one)@(two)x.example', ['one <ann@x.example>']],
    ['ann (one) @ (two) x.example', ['one <ann@x.example>']],
    ['ann @ x.example', ['ann@x.example']],
    ['"ann bee" @ x.example (one)', ['one <"ann bee"@x.example>']],
    ['Ann B. Bee ann@x.example', ['Ann B. Bee <ann@x.example>']],
    ['Ann(one)Bee <ann@x.example>', ['Ann Bee <ann@x.example>']],
    ['Ann B. Bee', ['Ann B. Bee <>']],
    ['B. Bee', ['B. Bee <>']],
    ['a <b(c@x.example>', ['a <b(c@x.example>']],
    ['a@b@x.example c@y.example', ['a@b@x.example c@y.example']],
    ['<a@x.example> <a@X.example>', ['a@x.example']],
    ['"ann.bee"@x.example', ['ann.bee@x.example']],
    ['< mailto:ann @ x.example >', ['ann@x.example']],
    ['<@r.example,@s.example:ann@x.example>', ['ann@x.example']],
    ['"a\\"b"@x.example', ['"a\\"b"@x.example']],
    ['@x.example', ['@x.example']],
    ['Ann Bee', ['Ann Bee <>']],
    ['', []],
  ])('%s', (field, expected) => {
    expect(read(field)).toEqual(expected);
  });

  // Each shows the whole of it, and `isAddress` takes none for an address of bank.example.
  it.each([
    ['"ceo@bank.example"@evil.example', '"ceo@bank.example"@evil.example'],
    ['Ann <"ceo@bank.example"@evil.example>', 'Ann <"ceo@bank.example"@evil.example>'],
    ['"v@x.example> NOTIFY=NEVER"@src.example', '"v@x.example> NOTIFY=NEVER"@src.example'],
    ['<"v@x.example> NOTIFY=NEVER"@src.example>', '"v@x.example> NOTIFY=NEVER"@src.example'],
    ['"ceo@bank.example" "x"@evil.example', 'ceo@bank.example <x@evil.example>'],
    ['ceo@bank.example ceo@evil.example', 'ceo@bank.example ceo@evil.example'],
    ['<ceo@evil.example> <ceo@bank.example>', 'ceo@evil.example ceo@bank.example'],
    ['<ceo@bank.example evil@evil.example>', 'ceo@bank.example evil@evil.example'],
    ['<=?utf-8?q?ceo=40bank.example?=>', '=?utf-8?q?ceo=40bank.example?='],
    ['<=?utf-8?q?ceo=40bank.example=00?=@evil.example>', '=?utf-8?q?ceo=40bank.example=00?=@evil.example'],
    ['<ceo@ban\u200bk.example>', 'ceo@ban\ufffdk.example'],
    ["<'ceo@bank.example'>", "'ceo@bank.example'"],
    ['ceo@ban(one)k.example', 'k.example <ceo@ban>'],
    ['<ceo@ban(one)k.example>', 'ceo@ban k.example'],
    ['<c(one)eo@bank.example>', 'c eo@bank.example'],
    ['ceo@bank.example .evil.example', 'ceo@bank.example .evil.example'],
    ['ceo@bank.example (one) .evil.example', 'one <ceo@bank.example .evil.example>'],
    ['ceo@bank.example. evil.example', 'ceo@bank.example. evil.example'],
    ['ceo@bank.example(.evil.example', 'ceo@bank.example(.evil.example'],
    ['"ceo@bank.example": x@evil.example', 'x@evil.example'],
  ])('never takes a part of %s for an address', (field, expected) => {
    const [shown = ''] = read(field);
    expect(shown).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    const [{ email } = { email: '' }] = parseAddresses(field, 1);
    expect(isAddress(email) && email.endsWith('@bank.example')).toBe(false);
  });

  it('takes no address that was cut out of a longer text', () => {
    const [address] = parseAddresses(`${'x '.repeat(992)}ceo@bank.example@evil.example`, 1);
    expect(address?.email).toBe('');
  });

  it('stops at as many as are wanted', () => {
    expect(parseAddresses('a@x.example, '.repeat(50), 3)).toHaveLength(3);
  });

  it('no name holds a line break, whatever it is encoded as', () => {
    const once = (text: string) => `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`;
    let encoded = 'a\r\nBcc: b@y.example';
    for (let times = 1; times <= 5; times++) {
      encoded = once(encoded);
      const [address] = parseAddresses(`${encoded} <a@x.example>`, 1);
      expect(address?.name).toBe('a Bcc: b@y.example');
    }
    const [address] = parseAddresses(`${once(encoded)} <a@x.example>`, 1);
    expect(address?.name).not.toContain('=?');
  });

  it.each([
    ['letters without an end', (length: number) => 'a'.repeat(length)],
    ['quoted and escaped quotes', (length: number) => `"${'\\"'.repeat(length / 2)}`],
    ['closed and escaped quotes', (length: number) => `"${'\\"'.repeat(length / 2)}"`],
    ['at signs', (length: number) => '@'.repeat(length)],
    ['quotes and at signs', (length: number) => '"@'.repeat(length / 2)],
    ['open comments in brackets', (length: number) => `<${'('.repeat(length)}>`],
  ])('cost by their length, not by its square: %s', (_, entry) => {
    const cost = (length: number, times: number) => {
      const field = `${entry(length)},`.repeat(times);
      const before = process.cpuUsage();
      const spent = () => process.cpuUsage(before).user;
      let runs = 0;
      // Processor time is told in steps of some milliseconds.
      for (; spent() < 20_000; runs += 1) parseAddresses(field, 10_000);
      return spent() / runs;
    };
    // The least of several, because collecting garbage and compiling cost processor time as well.
    const least = (length: number, times: number) => Math.min(...Array.from({ length: 5 }, () => cost(length, times)));
    // The same bytes, as entries sixteen times as long.
    expect(least(1_984, 60) / least(124, 960)).toBeLessThan(5);
  });
});
