import type { Page } from 'playwright-core';

/** The keys that a person without a pointer presses. */
export function keyboardOf(page: Page) {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses the key until the control with this name has the focus. */
    focusBy: async (key: string, name: string) => {
      for (let steps = 0; steps < 40; steps += 1) {
        const label = await page.evaluate(
          '((here) => (here?.getAttribute("aria-label") ?? here?.labels?.[0]?.textContent ?? here?.textContent ?? "").trim())(document.activeElement)',
        );
        if (label === name) return;
        await press(key);
      }
      throw new Error(`the keyboard does not reach ${name}`);
    },
  };
}
