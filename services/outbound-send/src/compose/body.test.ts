import { expect, it } from '@jest/globals';
import { finishBody } from './body.ts';

/** The least processor time of three, because other work may interrupt one. */
function costOf(html: string): number {
  const once = () => {
    const begun = process.cpuUsage().user;
    finishBody({ html, text: null }, null);
    return process.cpuUsage().user - begun;
  };
  return Math.max(Math.min(once(), once(), once()), 1_000);
}

it.each([
  ['elements', '<b>', '</b>'],
  ['paragraphs', '<p>', '</p>'],
  ['links', '<a href="https://x.example">', '</a>'],
  ['lists', '<ul><li>', '</li></ul>'],
  ['cells', '<table><tr><td>', '</td></tr></table>'],
  ['coloured boxes', '<div style="background:#fff;color:#000">', '</div>'],
  ['elements that are never closed', '<b>', ''],
])('the text of nested %s costs in proportion to their number, and not to its square', (_what, open, close) => {
  const nested = (bytes: number) => {
    const count = Math.floor(bytes / (open.length + close.length));
    return `${open.repeat(count)}deep${close.repeat(count)}`;
  };
  costOf(nested(30_000));
  // Eight times as many cost 64 times as much by their square.
  expect(costOf(nested(240_000)) / costOf(nested(30_000))).toBeLessThan(25);
});
