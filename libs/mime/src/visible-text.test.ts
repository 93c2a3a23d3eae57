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
    ['<p style="mso-hide:all;display:none">no<p>yes'],
    ['<p style="color:#FFF">no</p>yes'],
    ['<span style="font-size:9px; color: rgb(254, 255, 255)">no</span>yes'],
    ['<font color="white">no</font>yes'],
    ['<td bgcolor="#000"><b style="color:black">no</b></td>yes'],
    ['<div style="background-color:#333"><p>yes</p><span style="color:#333333">no</span></div>'],
    ['<div style="background:#000"><div></div></div><p style="color:white">no</p>yes'],
    ['<p style="color:red;background:blue">yes</p><p style="color:#f00;background:#f00">no</p>'],
    ['<p style="color:transparent">no</p>yes'],
    ['<style>.a, .b{color:red;display:none}</style><p class="c b">no</p>yes'],
    ['<style type="text/css">\n<!-- p.w { COLOR: #fff } -->\n</style><p class=W>no</p>yes'],
    ['<div class="d">yes<p class="d2">no</p></div><style>.d{background:#000;color:#fff}.d2{color:black}</style>'],
    ['<style>/* .x{} */ body .note #h{visibility:/**/hidden}</style><b id="h">no</b>yes'],
    ['<style>@media screen{.m{opacity:0}}</style><b class="m">no</b>yes'],
    ['<style>i{font-size:0}</style><i>no</i>yes'],
    ['<td style="font-size:0px">no<div style="font-size:14px">yes</div>no</td>'],
    [
      '<div style="font-size:0"><b style="font-size:1.5em">no</b></div><p style="font-size:12px;font-size:.0">no</p>yes',
    ],
    ['<p style="font-size:0">no<p>yes'],
    ['<div style="position:absolute; left:-9999px">no</div>yes'],
    ['<div style="top:-200em;position:fixed">no</div><p style="text-indent:-999px">no</p>yes'],
    ['<span style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">no</span>yes'],
    ['<b style="clip-path:inset(50%)">no</b><b style="clip-path: circle(0)">no</b>yes'],
    ['<b style="transform:rotate(3deg) scale(0)">no</b><b style="transform:scaleY(0.0)">no</b>yes'],
    ['<div style="height:0px;overflow:hidden">no</div>yes'],
    ['<style>.sr-only{position:absolute;width:1px;clip:rect(0,0,0,0)}</style><b class="sr-only">no</b>yes'],
    ['<style>p[class="x"], [id=y]{display:none}</style><p class="x">no</p><b id="y">no</b>yes'],
    ['<div style="font-size:1px">no</div><i style="font-size: 1.5pt">no</i><b style="font-size:.1em">no</b>yes'],
    ['<b style="font:1px/1px a">no</b><b style="font:bold 2px Arial">no</b><i style="font-size:5%">no</i>yes'],
    ['<style>.s{font:0/0 a}</style><b class="s">no</b>yes'],
    ['<b style="opacity:0.01">no</b><b style="opacity:1%">no</b><b style="visibility:collapse">no</b>yes'],
    ['<b style="color:rgba(0,0,0,.01)">no</b><b style="color:#0000">no</b><b style="color:#12345600">no</b>yes'],
    ['<div style="width:1px;height:1px;overflow:hidden">no</div><p style="max-width:0;overflow-x:clip">no</p>yes'],
    ['<style>.w{width:0px;overflow:hidden}</style><b class="w">no</b><b style="transform:scale(.01)">no</b>yes'],
    ['<b style="color:#ffff">no</b><b style="color:#FFFFFFFE">no</b><font color="snow">no</font>yes'],
    ['<b style="color:rgb(100%, 100%, 100%)">no</b><b style="color:rgb(255.0 254.6 255)">no</b>yes'],
    ['<b style="color:hsl(0,0%,100%)">no</b><b style="color:hsla(120deg 100% 99% / 90%)">no</b>yes'],
    ['<b style="color:hwb(0 100% 0%)">no</b><b style="color:ghostwhite">no</b>yes'],
    ['<b style="color:rgb(0 0 0 / 1%)">no</b><b style="color:hsl(0 0% 0% / 0)">no</b>yes'],
    ['<b style="color:red;background:red">no</b><b style="color:hsl(240,100%,50%);background:#00f none">no</b>yes'],
    [
      '<div style="background:transparent"><b style="color:#fff">no</b></div><div style="background:none"><b style="color:#fff">no</b></div>yes',
    ],
    [
      '<b style="letter-spacing:-1em">no</b><b style="letter-spacing:-20px">no</b><p style="text-indent:9999px">no</p>yes',
    ],
    ['<div style="display:none"/>no</div>yes'],
    ['<div hidden>no<div/>no</div>no</div><span style="font-size:0" />no</span>yes'],
    ['<svg width=1/>no</svg><svg width= 1/>no</svg>yes'],
    ['<td style="font-size:0">no<table><td style="font-size:9pt">yes</td><td>no</td></table>no</td>'],
  ])('nothing that is hidden: %s', (html) => {
    expect(read(html)).toBe('yes');
  });

  it.each([
    ['<p style="opacity:0.5">yes</p>'],
    ['<p style="font-size:0.9em">yes</p>'],
    ['<p class="hidden-print">yes</p>'],
    ['<p style="font:700 12px/1 Arial">yes</p>'],
    ['<p style="font-size:x-small;opacity:.1">yes</p>'],
    ['<p style="font-size:1px"><b style="font:normal 10px a">yes</b></p>'],
    ['<img style="width:1px"><p style="width:1px">yes</p>'],
    ['<p style="width:100px;height:20px;overflow:hidden">yes</p>'],
    ['<p style="color:#12345680">yes</p>'],
    ['<p data-hidden="1">yes</p>'],
    ['<table bgcolor="#000000"><tr><td><font color="#ffffff">yes</font></td></tr></table>'],
    ['<div style="background:#123"><div><p style="color:white">yes</p></div></div>'],
    ['<div style="background-image:url(x)"><p style="color:white">yes</p></div>'],
    ['<a style="background:navy;color:#fff">yes</a>'],
    ['<td style="font-size:0px;padding:10px 25px"><div style="font-family:Arial;font-size:13px">yes</div></td>'],
    [
      '<div style="font-size:0"><div style="background:#000;font-size:0"><a style="font:x;font-size:1rem">yes</a></div></div>',
    ],
    ['<p style="background-color:white;border-color:white">yes</p>'],
    ['<p style="color:#eee">yes</p>'],
    ['<style>@media (max-width:600px){.m{display:none}}</style><p class="m">yes</p>'],
    ['<style>@media print{.m{display:none}} .n{display:none}</style><p class="m">yes</p>'],
    ['<!--[if mso]><style>.m{display:none}</style><![endif]--><p class="m">yes</p>'],
    ['<style>.m{display:none}.m{display:block}</style><p class="m">yes</p>'],
    ['<style>.m:hover{display:none} .m p{display:none} .m.n{color:red</style><p class="m">yes</p>'],
    ['<p style="left:-9999px">yes</p>'],
    ['<p style="color:#000;background-color:rgba(0, 0, 0, 0)">yes</p>'],
    ['<p style="color:hsl(0,0%,40%);letter-spacing:-0.02em;text-indent:24px">yes</p>'],
    ['<p style="color:white;background:url(x) #fff">yes</p>'],
    ['<p style="color:#fff;background:rgba(255,255,255,0.5)">yes</p>'],
    ['<p style="position:relative;left:-20px;top:-100px">yes</p>'],
    ['<p style="position:absolute;clip:rect(0,600px,200px,0)">yes</p>'],
    ['<p style="text-indent:-20px;margin-left:-90px">yes</p>'],
    ['<p style="transform:scale(0.9)">yes</p>'],
    ['<td style="height:0;line-height:0">yes</td>'],
    ['<div style="height:0;min-height:100%;overflow:hidden">yes</div>'],
    ['<div style="width:0;min-width:100%;overflow:hidden;max-height:0.5em">yes</div>'],
    ['<style>[class^="m"]{display:none} u + [class=m]{display:none}</style><p class="m">yes</p>'],
    ['<svg/><svg width="1"/><svg x/><math />yes'],
    ['<a name="x"/><p/>yes<br/>'],
    ['<style>.m{color:#fff}</style><table bgcolor="#000"><td class="m">yes</td></table>'],
  ])('what only looks hidden stays: %s', (html) => {
    expect(read(html)).toBe('yes');
  });

  it('of pages full of rules and of names, in no more time than their length asks for', () => {
    const css = Array.from({ length: 4_000 }, (_, n) => `.a .c${n}{color:#fff;background:rgb(1,2,3)}`).join('');
    const names = Array.from({ length: 8 }, (_, n) => `c${n}`).join(' ');
    const spans = Array.from({ length: 20_000 }, (_, n) => `<b class="c${n % 4_000} ${names}" id=${n}>y</b>`);
    expect(read(`<style>${css}</style>${spans.join('')}`)).toHaveLength(20_000);
    for (const piece of ['<style>', '<style>/*', '<!--', '{', '}', '.x ', '.x,', 'a{', 'display:'])
      expect(read(`<style>${piece.repeat(200_000)}`)).toBe('');
  });

  it('of buttons side by side, between which the page leaves no gap of its own', () => {
    const button = (name: string) => `<a style="font-size:13px">${name}</a>`;
    expect(read(`<td style="font-size:0">${button('Yes')} ${button('No')}</td>`)).toBe('Yes No');
  });

  it('characters without width go, joiners between letters stay', () => {
    expect(read('pass\u200bword \u200c\u200c 👨\u200d👩')).toBe('password 👨\u200d👩');
    expect(read('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645')).toBe(
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    );
  });

  it.each([
    ['the mark of byte order', '\ufeff'],
    ['a joiner', '\u200d'],
    ['a non-joiner', '\u200c'],
    ['the mark of byte order and a joiner', '\ufeff\u200d'],
    ['a selector of a variant', '\ufe00'],
    ['a selector of emoji', '\ufe0f'],
    ['a soft hyphen as a name', '&shy;'],
    ['a space without width as a number', '&#8203;'],
  ])('is not split by %s between its letters', (_name, character) => {
    expect(read(`<p>${[...'split'].join(character)} <b>me</b></p>`)).toBe('split me');
  });

  it('says where the earlier message is quoted', () => {
    const { text, quotedFrom } = visibleText('<p>Yes.</p><blockquote>Really?</blockquote>');
    expect([text.slice(0, quotedFrom), text]).toEqual(['Yes.', 'Yes.\nReally?']);
  });
});
