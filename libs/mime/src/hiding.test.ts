import { expect, it } from '@jest/globals';
import { visibleText } from './visible-text.ts';

const HIDING = [
  'display:none',
  'background:#000;-webkit-background-clip:text;color:white',
  'position:fixed;inset:0 0 0 -999px;left:-9999px',
  'clip-path:inset(0 0 100% 0)',
  'transform:translate(0, -9999px)',
  'DISPLAY : NONE !important',
  'visibility:hidden',
  'visibility:collapse',
  'content-visibility:hidden',
  'opacity:0',
  'opacity:0%',
  'opacity:.05',
  'filter:opacity(0)',
  'filter:blur(0) opacity(0%)',
  '-webkit-filter:opacity(.01)',
  'zoom:0.01',
  'zoom:1%',
  'transform:scale(0)',
  '-webkit-transform:scale(0,0)',
  'transform:scale3d(0,0,0)',
  'transform:matrix(0,0,0,0,0,0)',
  'transform:rotateY(90deg)',
  'transform:rotateX(-90deg)',
  'transform:translateX(-9999px)',
  'transform:translate(-200vw, 0)',
  'scale:0',
  'scale:.01 1',
  'translate:-9999px',
  'text-indent:-9999px',
  'position:absolute;left:-9999px',
  'position:absolute;inset:-9999px auto auto auto',
  'clip-path:inset(100%)',
  'clip-path:inset(0 100% 0 0)',
  'clip-path:circle(0px at 50% 50%)',
  'clip-path:ellipse(0 0)',
  'clip-path:polygon(0 0, 0 0, 0 0)',
  '-webkit-clip-path:inset(50%)',
  'position:absolute;clip:rect(0,0,0,0)',
  'height:0;overflow:hidden',
  'font-size:0',
  'color:transparent',
  '-webkit-text-fill-color:transparent',
  '-webkit-text-fill-color:#fff',
  'background:linear-gradient(white,white);background-clip:text;color:transparent',
  'background:linear-gradient(transparent,transparent);-webkit-background-clip:text;-webkit-text-fill-color:transparent',
  'mask-image:linear-gradient(transparent,transparent)',
  '-webkit-mask:linear-gradient(transparent 0%, transparent 100%)',
  'letter-spacing:-1em',
  'margin-left:-9999px',
  'margin-top:-99em',
  'margin:0 0 0 -1000%',
  'margin:-100vmax auto 0',
  'margin-inline-start:-20cm',
  'margin-left:-1e5px',
  'margin-left:calc(0px - 9999px)',
  'margin-left:calc(-1 * 9999px)',
  'text-indent:-100em',
  'text-indent:-1000%',
  'text-indent:-60in',
  'text-indent:100%;white-space:nowrap;overflow:hidden',
  'position:absolute;left:-50em',
  'line-height:0;overflow:hidden',
  'line-height:0.05;max-height:90px;overflow:clip',
  'font:16px/0 Arial;overflow:hidden',
  'line-height:0;height:auto;overflow:hidden',
  'opacity:1e-3',
  'opacity:-1',
  'opacity:+0',
  'opacity:00',
  'opacity:calc(0)',
  'overflow:auto;height:0',
  'overflow:hidden scroll;height:0',
  'overflow:hidden;height:.5px',
  'overflow:hidden;height:0em',
  'overflow:hidden;height:-0',
  'overflow:hidden;max-height:1pt',
  'overflow:hidden;height:calc(0px)',
  'overflow:hidden;height:1e-9px',
  'overflow:hidden;block-size:0',
  'contain:paint;height:0',
  'font-size:calc(0px)',
  'font-size:max(0px, 0em)',
  'font-size:1e-5px',
  'transform:scale(0%)',
  'transform:rotateY(.25turn)',
  'clip-path:inset(60% 0)',
  'clip-path:rect(0 0 0 0)',
  'clip-path:xywh(0 0 0 0)',
  'mask:linear-gradient(#0000,#0000)',
  'mask-image:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))',
  'display:/* so */none',
  String.raw`disp\6c ay:none`,
] as const;

it.each(HIDING)('a text with %s is not read, inline or by a style block', (style) => {
  expect(visibleText(`<div style="${style}">no</div>yes`).text).toBe('yes');
  expect(visibleText(`<style>.h{${style}}</style><div class="h">no</div>yes`).text).toBe('yes');
});

const SHOWING = [
  'filter:opacity(0.9)',
  'filter:opacity(100%) blur(0)',
  'filter:alpha(opacity=100)',
  'opacity:1e0',
  'opacity:calc(1)',
  'opacity:1.0',
  'overflow:auto;height:auto',
  'overflow:auto;height:10px',
  'overflow:hidden;height:1.2em',
  'overflow:hidden;max-height:20pt',
  'overflow:hidden;height:1e1px',
  'contain:content;height:20px',
  'font-size:calc(10px + 1vw)',
  'font-size:clamp(0px, 2vw, 20px)',
  'clip-path:inset(60% 0 0)',
  'clip-path:rect(0 100% 100% 0)',
  'display:none;display:initial',
  'display:none;display:-webkit-box',
  'visibility:hidden;visibility:initial',
  'zoom:1',
  'zoom:0.9',
  'zoom:100%',
  'transform:scale(1.05)',
  'transform:translateX(-50%)',
  'transform:translate(-50%, -50%)',
  'transform:rotate(90deg)',
  'transform:rotateY(180deg)',
  'transform:matrix(1,0,0,1,0,0)',
  'scale:1',
  'scale:1.5 1',
  'translate:-50% 0',
  'margin-left:-15px',
  'margin:0 auto',
  'margin:-1px -20px',
  'clip-path:inset(0)',
  'clip-path:inset(0 0 0 0)',
  'clip-path:circle(50%)',
  'clip-path:polygon(0 0, 100% 0, 100% 100%, 0 100%)',
  'line-height:0',
  'line-height:0;height:20px;overflow:hidden',
  'line-height:0;line-height:1.2;overflow:hidden',
  'font:16px/1.4 Arial;overflow:hidden',
  'margin-left:-9999px;padding-left:9999px',
  'margin:0 -9999px;padding:0 9999px',
  'margin-bottom:-9999px;padding-bottom:9999px',
  'margin-left:-100%',
  'margin-left:calc(100% - 20px)',
  'margin-left:-20em',
  'text-indent:-20px',
  'text-indent:50%;white-space:nowrap;overflow:hidden',
  'white-space:nowrap;overflow:hidden;text-overflow:ellipsis',
  'animation:unknown 1s forwards',
  'background:url(//a.example/*);color:#222',
  'background:url(x);background-clip:text;color:transparent',
  'zoom:0',
  'clip-path:inset(0 0 0 0 round 100%)',
  'content-visibility:auto',
  'visibility:visible',
  '-webkit-text-fill-color:#222',
  '-webkit-text-fill-color:currentcolor',
  'color:white;-webkit-text-fill-color:black',
  'background:linear-gradient(90deg,#f00,#00f);-webkit-background-clip:text;-webkit-text-fill-color:transparent',
  'background-image:linear-gradient(red,blue);background-clip:text;color:transparent',
  'mask-image:linear-gradient(black,transparent)',
  'mso-line-height-rule:exactly;line-height:0px',
] as const;

it.each(SHOWING)('a text with %s is read', (style) => {
  expect(visibleText(`<div style="${style}">yes</div>`).text).toBe('yes');
});

const OUT = '@keyframes out{from{opacity:1}to{opacity:0}}';
const IN = '@-webkit-keyframes in{0%{visibility:hidden}100%{visibility:visible}}';
const NEVER = '@keyframes never{0%,100%{color:transparent}50%{font-size:0}}';
const BLINK = '@keyframes blink{to{visibility:hidden}}';

it.each([
  [OUT, 'animation:out 1ms forwards'],
  [OUT, 'animation-name:out;animation-duration:1ms;animation-fill-mode:both'],
  [OUT, '-webkit-animation:ease 0s out forwards'],
  [IN, 'animation:in 1s paused'],
  [NEVER, 'animation:never 9s infinite'],
  [`@media screen{${OUT}}`, 'animation:out 1ms forwards'],
])('a text that an animation hides is not read: %s with %s', (frames, style) => {
  expect(visibleText(`<style>${frames}</style><div style="${style}">no</div>yes`).text).toBe('yes');
  expect(visibleText(`<div class="h">no</div>yes<style>.h{${style}}${frames}</style>`).text).toBe('yes');
});

it.each([
  [IN, 'animation:in 1s forwards'],
  [OUT, 'animation:out 1s'],
  [OUT, 'animation:in 1s forwards'],
  [BLINK, 'animation:blink 1s steps(5,start) infinite'],
  [`@media print{${OUT}}`, 'animation:out 1ms forwards'],
  [OUT, 'color:#222'],
])('a text that comes up, blinks or has another animation is read: %s with %s', (frames, style) => {
  expect(visibleText(`<style>${frames}</style><div style="${style}">yes</div>`).text).toBe('yes');
});

it('of lines without a height one is read, and not those that lie on it; lines inside may have a height again', () => {
  const long = 'no '.repeat(70);
  const flat = (text: string) => `<div style="line-height:0">${text}</div>`;
  expect(visibleText(`${flat(long)}yes`).text).toBe('yes');
  expect(visibleText(`${flat('yes')}${flat(long)}${flat('<b>no</b><br>no')}`).text).toBe('yes');
  expect(visibleText(flat(`<p style="line-height:1.5">${'yes '.repeat(70)}</p>`)).text).toHaveLength(279);
  const clipped = '<div style="line-height:0;overflow:hidden">no<p style="line-height:20px">yes</p>no</div>';
  expect(visibleText(clipped).text).toBe('yes');
});

it.each([
  '<div style="color:#fff"><p style="color:#222">yes</p></div>',
  '<div style="color:#fff"><font color="navy">yes</font>no</div>',
  '<div style="color:#fff">no<p style="background:#000">yes</p></div>',
  '<div style="font-size:0">no<font size="2">yes</font>no</div>',
  '<div style="visibility:hidden">no<b style="visibility:initial">yes</b></div>',
  '<div style="color:transparent">no<p style="color:#222">yes</p><p style="background:#eee">no</p></div>',
  '<div style="visibility:hidden">no<p style="visibility:visible">yes</p>no</div>',
  '<style>.h{visibility:hidden}.s{visibility:visible}</style><p class="h">no<b class="s">yes</b></p>',
])('a text inside that is seen again is read: %s', (html) => expect(visibleText(html).text).toBe('yes'));

it.each([
  '<div style="visibility:visible"><p style="visibility:hidden">no</p></div>yes',
  '<div style="font-size:0"><font size="large">no</font><b size="2">no</b><font size="2" style="font-size:0">no</font></div>yes',
  '<div style="visibility:hidden"><p style="display:block">no</p></div>yes',
  '<div style="color:#fff"><p style="background:#fefefe">no</p></div>yes',
  `${'<b style="background:#000">'.repeat(120)}<i style="color:#000">no</i>${'</b>'.repeat(120)}yes`,
  '<dialog>no</dialog><div popover>no</div><datalist>no</datalist><meter>no</meter><progress>no</progress>yes',
])('a text inside that is not seen again is not read: %#', (html) => expect(visibleText(html).text).toBe('yes'));

it('long styles cost no more than their length', () => {
  const heads = [
    '',
    'filter:',
    'transform:',
    'clip-path:polygon(',
    'clip-path:inset(',
    'mask:linear-gradient(transparent,',
    'margin:',
    'animation:',
  ];
  const pieces = [
    'calc(0px - ',
    '/*',
    '"',
    "'\\",
    'url(',
    'url(\\',
    'color:red;',
    '\\6c ',
    ':forwards ',
    '-9999',
    'filter:',
    'opacity(',
    'matrix(0,',
    '0 ',
    '0 0,',
    '100% ',
    'translate(',
    ' ',
    'rgb(',
  ];
  const start = performance.now();
  for (const head of heads)
    for (const piece of pieces) visibleText(`<div style="${head}${piece.repeat(100_000)}">x</div>`);
  expect(performance.now() - start).toBeLessThan(10_000);
});
