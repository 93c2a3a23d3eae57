import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The colours are what the schemes differ in. */
const LIGHT = { colorScheme: 'light', run: `{ runOnly: ${JSON.stringify(RULES)} }` } as const;
const DARK = { colorScheme: 'dark', run: `{ runOnly: ['color-contrast', 'link-in-text-block'] }` } as const;

interface Way {
  colorScheme: 'light' | 'dark';
  run: string;
  width: number;
}

export const NARROW_AND_LIGHT: readonly Way[] = [{ ...LIGHT, width: 360 }];
export const EVERY_WAY: readonly Way[] = [360, 1_400].flatMap((width) =>
  [LIGHT, DARK].map((way) => ({ ...way, width })),
);

/** Rows are placed anew for another width, some frames after it. */
const LAID_OUT = `new Promise((done) => {
  let frames = 0;
  const next = () => ((frames += 1) < 6 ? requestAnimationFrame(next) : done());
  next();
})`;

/** The faults of a page for people with a screen reader, and on narrow screens. */
export async function faultsIn(ways: readonly Way[], page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  for (const { width, colorScheme, run } of ways) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(LAID_OUT);
    found.push(...(await pageFaults(page, `${name}, ${colorScheme}, ${width} px`, run)));
  }
  return found;
}

async function pageFaults(page: Page, name: string, run: string): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${run})`)) as AxeResult;
  const headings = await page.getByRole('heading', { level: 1, includeHidden: true }).count();
  const overflow = (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;
  return [
    ...violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(headings === 1 ? [] : [`${name}: ${headings} headings of level 1`]),
    ...(overflow > 0 ? [`${name}: ${overflow} px too wide`] : []),
  ];
}
