import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { productSources, ROOT } from './sources.ts';

/** The cookie of the app is no metric. */
const COOKIE = 'postroom_session';

const named = (text: string) => [...new Set(text.match(/\bpostroom_[a-z_]+\b/g))].toSorted();

it('docs/metrics.md names every metric of the pipeline, and none that is not there', () => {
  const made = named(
    productSources()
      .map(({ text }) => text.replaceAll(COOKIE, ''))
      .join('\n'),
  );
  expect(named(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8'))).toEqual(made);
});
