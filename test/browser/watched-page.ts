import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedPage {
  /** Complaints of the browser: refused styles and scripts, and errors that nobody caught. */
  complaints: string[];
  originsAsked(): string[];
}

const LIMIT_MS = 30_000;

/** A page in a context of its own, with a clipboard that scripts may read. */
export async function openWatchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<[Page, WatchedPage]> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  return [page, watchPage(page)];
}

function watchPage(page: Page): WatchedPage {
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser reports every refused request; the tests ask for some.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return {
    complaints,
    originsAsked: () => {
      const urls = asked.filter((url) => !/^(data|blob):/.test(url));
      return [...new Set(urls.map((url) => new URL(url).origin))];
    },
  };
}
