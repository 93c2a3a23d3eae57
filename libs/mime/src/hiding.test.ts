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
] as const;

it.each(HIDING)('a text with %s is not read, inline or by a style block', (style) => {
  expect(visibleText(`<div style="${style}">no</div>yes`).text).toBe('yes');
  expect(visibleText(`<style>.h{${style}}</style><div class="h">no</div>yes`).text).toBe('yes');
});

const SHOWING = [
  'filter:opacity(0.9)',
  'filter:opacity(100%) blur(0)',
  'filter:alpha(opacity=100)',
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
  'line-height:0;overflow:hidden',
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

it('long styles cost no more than their length', () => {
  const heads = [
    '',
    'filter:',
    'transform:',
    'clip-path:polygon(',
    'clip-path:inset(',
    'mask:linear-gradient(transparent,',
  ];
  const pieces = ['filter:', 'opacity(', 'matrix(0,', '0 ', '0 0,', '100% ', 'translate(', ' ', 'rgb('];
  const start = performance.now();
  for (const head of heads)
    for (const piece of pieces) visibleText(`<div style="${head}${piece.repeat(100_000)}">x</div>`);
  expect(performance.now() - start).toBeLessThan(10_000);
});
