import type { Page } from 'playwright-core';
import { DIALOGS } from './filled-workspace.ts';
import { faultsIn } from './page-faults.ts';

/** From an open page of the app to each of these by a link, then to what opens over them, and to the sign-in at last. */
export async function walkPages(page: Page, paths: readonly string[], ways: Parameters<typeof faultsIn>[0]) {
  const titles = new Set<string>();
  const found: string[] = [];
  for (const path of [...paths, ...DIALOGS]) {
    // A link of the app, without another load of the whole.
    await page.evaluate(`history.pushState(null, '', '/app${path}')`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    if (path.includes('dialog=')) await page.getByRole('dialog').waitFor();
    else titles.add(await page.title());
    found.push(...(await faultsIn(ways, page, path)));
  }
  await page.context().clearCookies();
  await page.goto(new URL('/app/sign-in', page.url()).href);
  await page.getByLabel('Email', { exact: true }).waitFor();
  found.push(...(await faultsIn(ways, page, '/sign-in')));
  return { found, titles };
}
