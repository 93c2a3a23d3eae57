import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { ConsentScene } from '../support/consent-scene.ts';
import { locatorsOf } from './app-locators.ts';
import { openWatchedPage } from './watched-page.ts';

/** Connects a Gmail mailbox at a provider of the tests: refused first, then given. No code stays in an address. */
export async function connectByConsent(
  browser: Browser,
  origin: string,
  cookie: { name: string; value: string },
  { google: { state } }: ConsentScene,
): Promise<void> {
  const [page, watched] = await openWatchedPage(browser, origin, {});
  await page.context().addCookies([{ ...cookie, url: origin }]);
  const { button, field, dialog, card } = locatorsOf(() => page);
  const isBack = async () => expect(page.url()).toBe(`${origin}/app/mailboxes/consent/gmail`);

  await page.goto(`${origin}/app/mailboxes?dialog=connect`);
  await button('Gmail', dialog()).click();
  await field('Email address', dialog()).fill(state.account);
  state.refusal = 'access_denied';
  await button('Continue with Google', dialog()).click();
  await dialog().getByText('Google was not given the consent').waitFor();
  await isBack();
  state.refusal = undefined;
  await button('Start again', dialog()).click();
  await dialog().getByText('1 of 1 emails').waitFor();
  await isBack();
  await button('Done', dialog()).click();
  await card(state.account).getByText('Active').waitFor();

  await button('Reconnect', card(state.account)).click();
  state.account = 'mallory@gmail.test';
  await button('Continue with Google', dialog()).click();
  await dialog().getByText('start again and choose the account ann@gmail.test').waitFor();
  await page.reload();
  await dialog().getByText('was used already').waitFor();
  expect(watched.complaints).toEqual([]);
  await page.context().close();
}
