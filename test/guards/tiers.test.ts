import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readRepositoryFile, repositoryFiles, ROOT } from './sources.ts';

type Tier = 'engines' | 'outages' | 'runtime';

/** Jest cannot import an ECMAScript module, so another process prints it. */
const url = JSON.stringify(pathToFileURL(join(ROOT, 'test/tiers.mjs')).href);
const print = `import(${url}).then(({ TIERS }) => console.log(JSON.stringify(TIERS)))`;
const printed = execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' });
const tiers = JSON.parse(printed) as Record<Tier, string[]>;
const files = repositoryFiles('libs', 'services', 'deploy', 'test').filter((path) => path.endsWith('.test.ts'));
const patternsOf = (tier: Tier) =>
  tiers[tier].slice(tiers[tier].indexOf('--testPathPatterns') + 1).map((pattern) => new RegExp(pattern));
const ADDRESS_READ =
  /\{[^}]*\b(KAFKA_BROKERS|REDIS_URL|MONGODB_URI)\b[^}]*\} = process\.env|process\.env(\.|\[')(KAFKA_BROKERS|REDIS_URL|MONGODB_URI)/;

describe('the lists of what engines and versions of Node can turn red', () => {
  it.each(['engines', 'outages', 'runtime'] as const)('name nothing that is not there: %s', (tier) => {
    const empty = patternsOf(tier).filter((pattern) => !files.some((file) => pattern.test(file)));
    expect(empty.map(String)).toEqual([]);
  });

  it('have every file that reads the address of an engine', () => {
    const readers = files.filter((file) => ADDRESS_READ.test(readRepositoryFile(file)));
    const missing = readers.filter(
      (file) => ![...patternsOf('engines'), ...patternsOf('outages')].some((pattern) => pattern.test(file)),
    );
    expect(missing).toEqual([]);
  });
});
