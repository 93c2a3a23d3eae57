import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeApi } from '../../services/gateway/src/openapi/describe-api.ts';
import { openRoutes, routes, type Route } from '../../services/gateway/src/routes/table.ts';
import { apiChanges, type Description } from './api-changes.ts';
import { ROOT } from './sources.ts';

const HOW = `
The description is not what the routes say. Look at the changes below, then
UPDATE_GOLDEN=1 npx jest test/guards/description          writes it anew, unless a change breaks clients
UPDATE_GOLDEN=breaking npx jest test/guards/description   writes it all the same
`;
const textOf = (some: readonly Route[]) => `${JSON.stringify(describeApi(some, undefined), null, 2)}\n`;
const featureRoutes = routes.filter(({ feature }) => feature);

/** Findings of the linter that we accept, each with its reason. */
const EXPLAINED = [
  // It is served to everyone, whatever they send: there is nothing to refuse.
  'operation-4xx-response at #/paths/~1openapi.json/get/responses: Operation must have at least one `4XX` response.',
];

describe('the API description', () => {
  it.each([
    ['docs/openapi.json', 'of a gateway without features', openRoutes([])],
    ['docs/openapi-features.json', 'of what features open', featureRoutes],
  ])('%s is that %s; a change is said, and whether it breaks clients', (path, _what, described) => {
    const snapshot = join(ROOT, path);
    const text = textOf(described);
    const before = existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : '{"paths":{}}';
    const changes = apiChanges(JSON.parse(before) as Description, JSON.parse(text) as Description);
    const breaking = changes.filter(({ breaks }) => breaks).map(({ where, what }) => `${where} ${what}`);
    const update = process.env.UPDATE_GOLDEN;
    if (update === 'breaking' || (update && breaking.length === 0)) return writeFileSync(snapshot, text);
    const other = changes.filter(({ breaks }) => !breaks).map(({ where, what }) => `${where} ${what}`);
    if (before !== text) expect({ HOW, breaking, other }).toEqual({ HOW, breaking: [], other: [], words: 'the same' });
    expect(before).toBe(text);
  });

  it.each([
    ['without features', openRoutes([])],
    ['with every feature', routes],
  ])('is linted clean %s', (_which, described) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'lint-api.mjs')], {
      input: textOf(described),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.split('\n').filter(Boolean)).toEqual(EXPLAINED);
  });
});
