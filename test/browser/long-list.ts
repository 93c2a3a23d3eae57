import type { Page } from 'playwright-core';

/** The longer of the two frames of each step, in milliseconds. */
interface Frames {
  frames: number;
  median: number;
  p95: number;
}

interface ScrolledList {
  /** By position in the list: the id of each row that was seen, or null. */
  listed: (string | null)[];
  /** Positions at which two different emails were seen. */
  moved: number;
  /** The most rows that the page had at once. */
  most: number;
  loading: { seconds: number };
  /** From top to bottom, a screen each frame. */
  through: Frames;
  /** To places by chance. */
  jumping: Frames;
  /** As a wheel does, from the middle. */
  wheeling: Frames;
}

interface Asked {
  /** The list is loaded to its end when the page is about so high. */
  height: number;
  jumps: number;
}

/** It runs in the page, which knows nothing of this file. */
const SCROLL = `async ({ height: until, jumps }) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const height = () => document.documentElement.scrollHeight;
  const listed = [];
  let [most, moved] = [0, 0];
  const note = () => {
    const rows = document.querySelectorAll('[data-email]');
    most = Math.max(most, rows.length);
    for (const row of rows) {
      const at = Number(row.ariaPosInSet) - 1;
      if (listed[at] !== undefined && listed[at] !== row.dataset.email) moved += 1;
      listed[at] = row.dataset.email;
    }
  };
  const timed = async (steps, move) => {
    const lengths = [];
    for (let step = 0; step < steps; step += 1) {
      const began = await frame();
      move(step);
      // The browser tells of the scroll in the next frame, and shows the rows in the one behind it.
      const told = await frame();
      const shown = await frame();
      lengths.push(Math.max(told - began, shown - told));
      note();
    }
    lengths.sort((one, other) => one - other);
    const at = (share) => Math.round(lengths[Math.floor((lengths.length - 1) * share)] * 10) / 10;
    return { frames: lengths.length, median: at(0.5), p95: at(0.95) };
  };
  const began = performance.now();
  for (let last = 0, still = 0; still < 600 && height() < until;) {
    window.scrollTo(0, height());
    await frame();
    still = height() === last ? still + 1 : 0;
    last = height();
  }
  const loading = { seconds: Math.round((performance.now() - began) / 1000) };
  const through = await timed(Math.ceil(height() / innerHeight) + 1, (step) => window.scrollTo(0, step * innerHeight));
  let chance = 1;
  const jumping = await timed(jumps, () => {
    chance = (chance * 48271) % 2147483647;
    window.scrollTo(0, (chance / 2147483647) * height());
  });
  window.scrollTo(0, height() / 2);
  const wheeling = await timed(jumps, () => window.scrollBy(0, 120));
  return { listed: Array.from(listed, (id) => id ?? null), moved, most, loading, through, jumping, wheeling };
}`;

export const scrollList = (page: Page, asked: Asked): Promise<ScrolledList> =>
  page.evaluate(`(${SCROLL})(${JSON.stringify(asked)})`);

/** The memory of the page after a collection, in megabytes, and its DOM nodes. */
export async function memoryOf(page: Page): Promise<{ heapMb: number; nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const valueOf = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  return { heapMb: Math.round(valueOf('JSHeapUsedSize') / 1024 / 1024), nodes: valueOf('Nodes') };
}
