import type { Browser, Page } from 'playwright-core';
import { openWatchedPage } from './watched-page.ts';

/** The bytes of Home in a browser that has nothing in its cache, signed in as the page is. */
export async function bytesOfFirstLoad(page: Page, origin: string): Promise<number> {
  const storageState = await page.context().storageState();
  const [fresh] = await openWatchedPage(page.context().browser() as Browser, origin, { storageState });
  const sizes: number[] = [];
  fresh.on('response', (response) => {
    if (!response.url().includes('/app/api/')) sizes.push(Number(response.headers()['content-length'] ?? Number.NaN));
  });
  await fresh.goto(`${origin}/app/`);
  await fresh.getByRole('heading', { name: 'Home' }).waitFor();
  await fresh.waitForLoadState('networkidle');
  await fresh.context().close();
  return sizes.reduce((total, size) => total + size, 0);
}
