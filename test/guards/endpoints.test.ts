import { describe, expect, it } from '@jest/globals';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { readRepositoryFile, repositoryFiles } from './sources.ts';

/** The blocks of the API's tests, each from its title to the next one's. */
const blocks = repositoryFiles('test/api').flatMap((file) => readRepositoryFile(file).split(/^(?=describe\b)/m));

/** A block is about an endpoint when its title begins with it, or a row of the table that it repeats itself for. */
function casesOf(endpoint: string): string {
  const titles = [`describe('${endpoint}'`, `describe('${endpoint} `, `['${endpoint}',`];
  return blocks.filter((block) => titles.some((title) => block.includes(title))).join('\n');
}

describe('an endpoint', () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s has cases of its own in test/api, one for each of its codes',
    (name, { errors }) => {
      const cases = casesOf(name);
      expect(cases).not.toBe('');
      // refusals.test.ts tests the codes that every endpoint may answer.
      const own = errors.filter((code) => code !== 'QUERY_TIMEOUT');
      expect(own.filter((code) => !cases.includes(code))).toEqual([]);
    },
  );
});
