import { describe, expect, it } from '@jest/globals';
import { visibleText } from './visible-text.ts';

const read = (html: string) => visibleText(html).text;

describe('visible text', () => {
  it('one line per block, one space between words', () => {
    expect(read('<h1>Dear  Ann</h1><p>see <b>you</b>&nbsp;soon<br>Bob</p>')).toBe('Dear Ann\nsee you soon\nBob');
  });

  it.each([
    ['<style>p{}</style><script>a<b</script><title>no</title>yes'],
    ['<div style="color:red;display: none !important"><div>no</div></div>yes'],
    ['<span hidden>no</span><span style="visibility:hidden">no</span>yes'],
    ['<div style="max-height:0;overflow:hidden">no</div>yes'],
    ['<div style="font-size:0px">no</div>yes'],
    ['<!-- <p>no</p> -->yes'],
    ['<p style="mso-hide:all">no<p>yes'],
  ])('nothing that is hidden: %s', (html) => {
    expect(read(html)).toBe('yes');
  });

  it.each([
    ['<p style="opacity:0.5">yes</p>'],
    ['<p style="font-size:0.9em">yes</p>'],
    ['<p class="hidden-print">yes</p>'],
    ['<p data-hidden="1">yes</p>'],
  ])('what only looks hidden stays: %s', (html) => {
    expect(read(html)).toBe('yes');
  });

  it('characters without width go, joiners between letters stay', () => {
    expect(read('pass\u200bword \u200c\u200c 👨\u200d👩')).toBe('password 👨\u200d👩');
  });

  it('says where the earlier message is quoted', () => {
    const { text, quotedFrom } = visibleText('<p>Yes.</p><blockquote>Really?</blockquote>');
    expect([text.slice(0, quotedFrom), text]).toEqual(['Yes.', 'Yes.\nReally?']);
  });
});
