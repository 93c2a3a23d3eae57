import { describe, expect, it } from '@jest/globals';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { readRepositoryFile, repositoryFiles } from './sources.ts';

const cases = repositoryFiles('test/api').map(readRepositoryFile).join('\n');

describe('an endpoint', () => {
  it.each(routes.map(({ method, path }) => `${method} ${path}`))('%s has cases of its own in test/api', (endpoint) => {
    const named = [`describe('${endpoint}'`, `describe('${endpoint} `];
    expect(named.some((title) => cases.includes(title))).toBe(true);
  });
});
