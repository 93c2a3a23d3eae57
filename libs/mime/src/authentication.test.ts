import { describe, expect, it } from '@jest/globals';
import { authenticationIn, failsDmarc } from './authentication.ts';

const own = (said: string) => `mx.example.com 1;\r\n spf=pass smtp.mailfrom=a.example; ${said}`;

describe('the verdict of the receiving server on DMARC', () => {
  it.each([
    ['a failure', [own('dmarc=fail (p=reject) header.from=a.example')]],
    ['a failure in capitals', [own('DMARC = FAIL')]],
    ['a policy that could not be read', [own('dmarc=permerror')]],
    ['a failure in a second field of the same server', [own('dkim=pass'), 'MX.example.com; dmarc=fail']],
    ['one between two quoted parentheses', [own('spf=pass smtp.mailfrom="("@a.example; dmarc=fail; x=")"@a.example')]],
    ['one behind a comment with a quote', [own('spf=pass (of (b) "@a.example); dmarc=fail (no " here)')]],
    ['one behind a parenthesis that never closes', [own('spf=pass (("a"; dmarc=fail')]],
    ['a failure beside a pass that somebody has put there', ['mx.example.com; dmarc=pass', own('dmarc=fail')]],
  ])('is a failure: %s', (_what, fields) => expect(failsDmarc(fields)).toBe(true));

  it.each([
    ['nothing', []],
    ['another method', [own('dkim=fail')]],
    ['a pass', [own('dmarc=pass (p=none) header.from=a.example')]],
    ['a domain without a policy', [own('dmarc=none')]],
    ['a failure that another server on the way saw', [own('dmarc=pass'), 'relay.example.org; dmarc=fail']],
    ['a failure in a comment', [own('dkim=pass (a comment; dmarc=fail (within; dmarc=fail))')]],
    ['a word that only ends in it', [own('x-dmarc=fail')]],
  ])('is none: %s', (_what, fields) => expect(failsDmarc(fields)).toBe(false));

  it('takes no longer for a field of thousands of brackets', () => {
    const begun = process.cpuUsage().user;
    expect(failsDmarc([`mx; ${'('.repeat(200_000)}dmarc=fail`])).toBe(false);
    expect(process.cpuUsage().user - begun).toBeLessThan(1_000_000);
  });
});

describe('the results of the receiving server', () => {
  it('are those of the topmost field, by method', () => {
    const fields = [own('dkim=pass header.d=a.example; DMARC/1 = Fail'), 'relay.example; spf=fail; dmarc=pass'];
    expect(authenticationIn(fields)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'fail' });
  });

  it.each([
    ['no method in it', ['mx.example.com; none'], { spf: null, dkim: null, dmarc: null }],
    ['a pass in a comment', ['mx; spf=none (x; dkim=pass)'], { spf: 'none', dkim: null, dmarc: null }],
    ['a pass in a quoted string', ['mx; spf=none x="; dkim=pass"'], { spf: 'none', dkim: null, dmarc: null }],
    ['two signatures', ['mx; dkim=pass; dkim=fail'], { spf: null, dkim: 'pass, fail', dmarc: null }],
  ])('with %s', (_what, fields, results) => expect(authenticationIn(fields)).toEqual(results));

  it('are not known without a field', () => expect(authenticationIn([])).toBeNull());
});
