import { afterAll, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { benchEmail } from '../bench/mail.ts';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { buildPages, openBrowser, whenThereIsABrowser } from './chromium.ts';
import { triageByKeyboard } from './mail-journey.ts';
import { openWatchedPage } from './watched-page.ts';

const it = whenThereIsABrowser();
/** `POSTROOM_FULL=1` fills the list with as many as the app is made for. */
const LISTED = process.env['POSTROOM_FULL'] ? 100_000 : 3_000;
const BATCH = 1_000;
const FRAMES = 300;

jest.setTimeout(LISTED === 100_000 ? 3_600_000 : 540_000);

let stack: TestStack;
let people: AppPeople;
let browser: Browser;
let page: Page;
let workspace: TestWorkspace;

beforeAll(async () => {
  buildPages();
  stack = await startStack({ beside: ['app'] });
  people = await openAppPeople(stack);
  browser = await openBrowser();
});
beforeEach(async () => {
  workspace = await stack.workspace();
  const [name = '', value = ''] = (await people.joined(workspace.id, 'member')).cookie.split('=');
  [page] = await openWatchedPage(browser, people.origin, { viewport: { width: 1_400, height: 800 } });
  await page.context().addCookies([{ name, value, url: people.origin }]);
});
afterAll(async () => {
  await browser?.close();
  await people?.close();
  await stack?.close();
});

const open = () => page.goto(`${people.origin}/app/mail`);

it('200 emails are triaged by keyboard alone', async () => {
  await page.clock.install();
  await triageByKeyboard(page, workspace, open, { emails: 200, times: 196 });
});

interface Scrolled {
  rows: number;
  frames: number;
  slow: number;
  median: number;
  most: number;
}

/** Scrolls to the end of the list until it grows no more, then on from its middle as a wheel does, and says how long the frames were. */
const SCROLL = `async ({ frames, until }) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const height = () => document.documentElement.scrollHeight;
  for (let last = 0, still = 0; still < 300 && height() < until;) {
    window.scrollTo(0, height());
    await frame();
    still = height() === last ? still + 1 : 0;
    last = height();
  }
  const lengths = [];
  window.scrollTo(0, height() / 2);
  await frame();
  let most = 0;
  for (let n = 0, before = await frame(); n < frames; n += 1) {
    window.scrollBy(0, 120);
    const now = await frame();
    lengths.push(now - before);
    before = now;
    most = Math.max(most, document.querySelectorAll('[data-email]').length);
  }
  lengths.sort((one, other) => one - other);
  const rows = Math.max(...[...document.querySelectorAll('[data-email]')].map((row) => Number(row.ariaPosInSet)));
  return { rows, frames: lengths.length, slow: lengths.filter((ms) => ms > 34).length, median: lengths[lengths.length >> 1], most };
}`;

it('a long list scrolls with the rows of a screen in the page, however many it has', async () => {
  const { id: mailboxId } = await workspace.connectMailbox();
  for (let first = 0; first < LISTED; first += BATCH) {
    const emails = Array.from({ length: BATCH }, (_, n) => {
      const email = benchEmail(first + n);
      return { ...email, _id: `${email._id}_${workspace.id}`, workspaceId: workspace.id, mailboxId };
    });
    await stack.collections.emails.collection.insertMany(emails as never[]);
  }
  await open();
  await page.getByRole('listitem').first().waitFor();
  const figures = (await page.evaluate(`(${SCROLL})({ frames: ${FRAMES}, until: ${LISTED * 37} })`)) as Scrolled;
  process.stdout.write(`the list of ${LISTED} emails: ${JSON.stringify(figures)}\n`);
  expect(figures.most).toBeLessThan(100);
  expect(figures.rows).toBeGreaterThan(LISTED / 4);
});
