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
    ['<p style="color:#FFF">no</p>yes'],
    ['<span style="font-size:9px; color: rgb(254, 255, 255)">no</span>yes'],
    ['<font color="white">no</font>yes'],
    ['<td bgcolor="#000"><b style="color:black">no</b></td>yes'],
    ['<div style="background-color:#333"><p>yes</p><span style="color:#333333">no</span></div>'],
    ['<div style="background:#000"><div></div></div><p style="color:white">no</p>yes'],
    ['<p style="color:red;background:red">yes</p><p style="color:#f00;background:#f00">no</p>'],
    ['<p style="color:transparent">no</p>yes'],
  ])('nothing that is hidden: %s', (html) => {
    expect(read(html)).toBe('yes');
  });

  it.each([
    ['<p style="opacity:0.5">yes</p>'],
    ['<p style="font-size:0.9em">yes</p>'],
    ['<p class="hidden-print">yes</p>'],
    ['<p data-hidden="1">yes</p>'],
    ['<table bgcolor="#000000"><tr><td><font color="#ffffff">yes</font></td></tr></table>'],
    ['<div style="background:#123"><div><p style="color:white">yes</p></div></div>'],
    ['<div style="background-image:url(x)"><p style="color:white">yes</p></div>'],
    ['<a style="background:navy;color:#fff">yes</a>'],
    ['<p style="background-color:white;border-color:white">yes</p>'],
    ['<p style="color:#eee">yes</p>'],
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
