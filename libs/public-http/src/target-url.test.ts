import { describe, expect, it } from '@jest/globals';
import { readTargetUrl } from './target-url.ts';

const read = (text: string) => readTargetUrl(text, (host) => host === 'hooks.test');

describe('the URL of a webhook', () => {
  it.each([
    ['https://hooks.example.com/in?a=1', 'hooks.example.com'],
    ['https://HOOKS.Example.com', 'hooks.example.com'],
    ['https://hooks.example.com:443/', 'hooks.example.com'],
    ['https://bücher.example.com/', 'xn--bcher-kva.example.com'],
    ['https://xn--bcher-kva.example.com/', 'xn--bcher-kva.example.com'],
    ['https://93.184.216.34/x', '93.184.216.34'],
    ['https://[2606:4700::1111]/x', '2606:4700::1111'],
    ['https://hooks.test/in', 'hooks.test'],
    ['https://hooks.example.com/@me', 'hooks.example.com'],
    [`https://hooks.example.com/${'a'.repeat(2_022)}`, 'hooks.example.com'],
  ])('%s is taken', (text, host) => expect(read(text)).toMatchObject({ host }));

  it.each([
    [
      'another scheme',
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'javascript:alert(1)',
      'https:example.com',
    ],
    [
      'another form',
      '',
      'hooks.example.com',
      '//hooks.example.com',
      'https://',
      'https:///x',
      'https://hooks.example.com:x/',
    ],
    [
      'another port',
      'https://hooks.example.com:8443/',
      'https://hooks.example.com:80/',
      'https://hooks.example.com:0/',
    ],
    [
      'credentials',
      'https://u:p@hooks.example.com/',
      'https://u@hooks.example.com/',
      'https://@hooks.example.com/',
      'https://:@hooks.example.com',
    ],
    ['a fragment', 'https://hooks.example.com/#a', 'https://hooks.example.com/#'],
    ['a length', `https://hooks.example.com/${'a'.repeat(2_023)}`],
    [
      'characters that a parser drops',
      'https://hooks.exam\tple.com/',
      ' https://hooks.example.com/',
      'https://hooks.example.com/\r\nX: 1',
      'https://hooks.example.com\\@10.0.0.1/',
      'https://hooks.exa\u200bmple.com/',
      'https://hooks.exa\u00admple.com/',
    ],
    ['one label', 'https://hooks/', 'https://localhost/', 'https://com/'],
    [
      'a special use',
      'https://a.localhost/',
      'https://printer.local/',
      'https://db.internal/',
      'https://hooks2.test/',
      'https://a.hooks.test/',
      'https://x.invalid/',
      'https://x.onion/',
      'https://x.home.arpa/',
      'https://1.0.0.10.in-addr.arpa/',
      'https://LOCALHOST.LOCALDOMAIN/',
    ],
    [
      'no name',
      'https://example.com./',
      'https://localhost./',
      'https://a..com/',
      'https://a_b.example.com/',
      'https://-a.example.com/',
      `https://${'a'.repeat(64)}.com/`,
      `https://${'a.'.repeat(130)}com/`,
      'https://*.example.com/',
    ],
    [
      'an inside address',
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://[64:ff9b::a00:1]/',
      'https://[::]/',
    ],
    [
      'an inside address in other words',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://017700000001/',
      'https://127.1/',
      'https://0/',
      'https://①②⑦.0.0.1/',
      'https://127。0。0。1/',
      'https://10.0.0.1./',
    ],
  ])('%s is refused', (_what, ...texts) => {
    expect(texts.filter((text) => !('fault' in read(text)))).toEqual([]);
  });
});
