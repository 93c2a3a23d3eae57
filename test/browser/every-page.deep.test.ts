import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { buildPages, openBrowser, whenThereIsABrowser } from './chromium.ts';
import { fillWorkspace, PAGES } from './filled-workspace.ts';
import { EVERY_WAY } from './page-faults.ts';
import { walkPages } from './page-walk.ts';
import { openWatchedPage } from './watched-page.ts';

const it = whenThereIsABrowser();
/** Each width and each scheme once; `app.deep.test.ts` reads every page narrow and light. */
const WAYS = EVERY_WAY.filter(
  ({ width, colorScheme }) => process.env['POSTROOM_FULL'] || width < 1_000 === (colorScheme === 'dark'),
);

let stack: TestStack;
let people: AppPeople;
let browser: Browser | undefined;

beforeAll(async () => {
  buildPages();
  stack = await startStack({ beside: ['app'] });
  people = await openAppPeople(stack);
});
afterAll(async () => {
  await browser?.close();
  await people?.close();
  await stack?.close();
});

it('finds nothing by axe on any page, narrow and wide, light and dark, and each fits', async () => {
  const { id } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'expert' }, {});
  const [name = '', value = ''] = (await people.joined(id, 'owner', 'axe@acme.example')).cookie.split('=');
  const pages = [...PAGES, ...(await fillWorkspace(stack, id))];
  browser = await openBrowser();
  const [page, watched] = await openWatchedPage(browser, people.origin, {});
  await page.context().addCookies([{ name, value, url: people.origin }]);
  await page.goto(`${people.origin}/app/`);
  expect((await walkPages(page, pages, WAYS)).found).toEqual([]);
  expect(watched.complaints).toEqual([]);
});
