import type { Locator, Page } from 'playwright-core';

/** The time in which a change can be undone, and a little. */
const UNDO_MS = 6_100;

export type AppLocators = ReturnType<typeof locatorsOf>;

/** The controls, by the names that the pages give them. */
export function locatorsOf(page: () => Page) {
  return {
    button: (name: string, within: Page | Locator = page()) => within.getByRole('button', { name, exact: true }),
    field: (name: string, within: Page | Locator = page()) => within.getByLabel(name, { exact: true }),
    heading: (name: string) => page().getByRole('heading', { name, exact: true }),
    dialog: () => page().getByRole('dialog'),
    row: (text: string) => page().getByRole('row').filter({ hasText: text }),
    card: (text: string) => page().getByRole('listitem').filter({ hasText: text }),
    go: (name: string) => page().getByRole('navigation').getByRole('link', { name, exact: true }).click(),
    /** Lets the time for undoing pass, and waits for the answer to the change. */
    pastUndo: async (path: RegExp) => {
      const made = page().waitForResponse(
        (response) => response.request().method() !== 'GET' && path.test(response.url()),
      );
      await page().clock.fastForward(UNDO_MS);
      await made;
    },
  };
}
