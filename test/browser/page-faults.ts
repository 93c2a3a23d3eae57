import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

/** The faults of a page for people with a screen reader, and on narrow screens. */
export async function pageFaults(page: Page, name: string): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  )) as AxeResult;
  const headings = await page.getByRole('heading', { level: 1, includeHidden: true }).count();
  const overflow = (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
  return [
    ...violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(headings === 1 ? [] : [`${name}: ${headings} headings of level 1`]),
    ...(overflow > 0 ? [`${name}: ${overflow} px too wide`] : []),
  ];
}
