import { describe, expect, it } from '@jest/globals';
import { safeFileName } from './file-name.ts';

describe('the name of a file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Übersicht März.pdf', 'Übersicht März.pdf'],
    ['../../etc/passwd', 'etc passwd'],
    ['C:\\Windows\\system32\\evil.exe', 'C Windows system32 evil.exe'],
    ['a\r\nSet-Cookie: x=1.txt', 'a Set-Cookie x=1.txt'],
    ['a\0b.pdf', 'a b.pdf'],
    ['x".pdf; filename="evil.exe', 'x .pdf; filename= evil.exe'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['in\u200bvoice\ufeff.pdf', 'in voice .pdf'],
    ['.htaccess', 'htaccess'],
    ['evil.exe. . ', 'evil.exe'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['console.txt', 'console.txt'],
    ['', 'attachment'],
    ['...', 'attachment'],
    ['a\ud800b.pdf', 'a b.pdf'],
  ])('%j is %j', (given, name) => expect(safeFileName(given).name).toBe(name));

  it('keeps its ending where it is too long, and no half of a sign', () => {
    const { name } = safeFileName(`${'🎁'.repeat(100)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name).toMatch(/^(🎁)+\.pdf$/u);
    expect(safeFileName(`a.${'x'.repeat(300)}`).name).toHaveLength(180);
  });
});

describe('the header of a file', () => {
  it('has the name in ASCII for old readers, and whole for the others', () => {
    expect(safeFileName('März 5%.pdf').disposition).toBe(
      `attachment; filename="M_rz 5_.pdf"; filename*=UTF-8''M%C3%A4rz%205%25.pdf`,
    );
    expect(safeFileName(`it's (1)!.pdf`).disposition).toContain(`filename*=UTF-8''it%27s%20%281%29%21.pdf`);
  });

  it.each(['a"; filename="b', 'a\r\nX: y', 'a\\', '\u0085x', '日本.pdf', "%22'"])(
    'is one value of printable ASCII, whatever the name: %j',
    (given) => {
      const { disposition } = safeFileName(given);
      expect(disposition).toMatch(
        /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.~%-]+$/,
      );
    },
  );
});
