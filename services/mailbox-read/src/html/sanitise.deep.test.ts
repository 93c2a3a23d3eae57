import { afterAll, describe, expect, it } from '@jest/globals';
import { createSanitiser } from './html-thread.ts';
import { sanitise, TooMuch } from './sanitise.ts';

const SIZE = 2_000_000;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));

describe('two megabytes that somebody made to take long', () => {
  const sanitiser = createSanitiser({ limitMs: 30_000 });
  afterAll(() => sanitiser.close());
  const call = { workspaceId: 'wsp_1', remainingMs: () => 60_000 };

  it.each([
    ['nested blocks', fill('<div>')],
    ['nested letters', fill('<b>')],
    ['endings of what never began', fill('<a>', SIZE / 2) + fill('</b>', SIZE / 2)],
    ['pictures in pictures', fill('<svg>')],
    ['formulas', fill('<math><mi>')],
    ['tables in tables', fill('<table><tr><td>')],
    ['signs that are written out', fill('&')],
    ['hidden endings', fill('<div><!--</div>-->')],
  ])('are not read: %s', async (_name, html) => {
    expect(() => sanitise(html)).toThrow(TooMuch);
    expect(await sanitiser.clean(html, call)).toBeNull();
  });

  it.each([
    ['images among text', fill('word ', SIZE / 2) + fill('<img src=http:a>x', SIZE / 2)],
    ['blocks in a style', `<p style="${fill('{')}">word`],
    ['endings alone', `word${fill('</b>')}`],
    ['lists of one', fill('<li>word')],
  ])('come out: %s', async (_name, html) => {
    expect(await sanitiser.clean(html, call)).toContain('word');
  });
});
