import { expect, it } from '@jest/globals';
import { finishBody } from './body.ts';

const TIMES = 8;
const MEASUREMENTS = 3;
const MOST_GROWTH = 3;

/** The least processor time of three, because other work may interrupt one. */
function costOf(html: string, times: number): number {
  const once = () => {
    const begun = process.cpuUsage();
    for (let n = 0; n < times; n += 1) finishBody({ html, text: null }, null);
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  return Math.min(once(), once(), once());
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
  costOf(nested(30_000), TIMES);
  // The same amount at once costs the same, and eight times as much by its square. A fault shows in each measurement.
  const growth = () => costOf(nested(TIMES * 30_000), 1) / costOf(nested(30_000), TIMES);
  let least = growth();
  for (let again = 1; again < MEASUREMENTS && least >= MOST_GROWTH; again += 1) least = Math.min(least, growth());
  expect(least).toBeLessThan(MOST_GROWTH);
});
