import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import { mailWithParts, PNG_DOT } from '../support/mail-with-parts.ts';
import type { TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { locatorsOf } from './app-locators.ts';
import { EVERY_WAY, faultsIn, NARROW_AND_LIGHT } from './page-faults.ts';
import { openWatchedPage } from './watched-page.ts';

const REPORT = Buffer.from('the report');
const HTML = '<p>See <img src="cid:dot" alt="Dot"> and <img src="https://pictures.example/p.png" alt="Remote"></p>';

/** Reads a mail with attachments: each with its type and size, a download of it, and the picture that came along. */
export async function readAttachments(signedIn: Page, stack: TestStack, workspace: TestWorkspace, origin: string) {
  const browser = signedIn.context().browser();
  if (!browser) throw new Error('the page has no browser');
  const storageState = await signedIn.context().storageState();
  const [page, watched] = await openWatchedPage(browser, origin, { storageState });
  const { button } = locatorsOf(() => page);
  const { id: mailboxId } = await workspace.connectMailbox();
  const parts = [
    { type: 'application/pdf', name: 'März <b>report.pdf', content: REPORT },
    { type: 'text/html', name: 'page.html', content: Buffer.from('<script>window.broken = 1</script>') },
    { type: 'image/png', name: 'dot.png', contentId: 'dot', content: PNG_DOT },
  ];
  const [id = ''] = await workspace.ingest(mailboxId, [{ subject: 'With parts', ...mailWithParts(HTML, parts) }]);
  await page.goto(`${origin}/app/mail/${id}`);
  const list = page.getByRole('list', { name: 'Attachments' });
  await list.getByText('application/pdf').waitFor();
  expect(await list.getByRole('listitem').first().innerText()).toMatch(/März <b>report\.pdf\s+application\/pdf, 10 B/);

  const picture = page.frameLocator('iframe').locator('img');
  await picture.waitFor();
  expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
  await page.frameLocator('iframe').getByText('Remote').waitFor();
  await button('Show images once').waitFor();

  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
    return { name: download.suggestedFilename(), text: await textOf(download) };
  };
  expect(await saved('Download März <b>report.pdf')).toEqual({ name: 'März b report.pdf', text: 'the report' });
  expect((await saved('Download page.html')).name).toBe('page.html');
  expect(await page.evaluate('window.broken')).toBeUndefined();
  expect(await faultsIn(EVERY_WAY, page, 'attachments')).toEqual([]);

  // The copy goes while the page is open: a person reads why, and a new page offers nothing that cannot be had.
  await stack.collections.originalPieces.deleteMany({ workspaceId: workspace.id });
  await button('Download page.html').click();
  await page.getByRole('alert').getByText('the message is kept for seven days').waitFor();
  await page.reload();
  await page.getByText('The attachments cannot be downloaded').waitFor();
  expect(await page.getByRole('button', { name: /^Download/ }).count()).toBe(0);
  expect(await faultsIn(NARROW_AND_LIGHT, page, 'attachments that nobody has')).toEqual([]);
  expect([watched.complaints, watched.originsAsked()]).toEqual([[], [origin]]);
  await page.context().close();
}

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8');
