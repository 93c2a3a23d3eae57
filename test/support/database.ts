import { randomBytes } from 'node:crypto';

const ADDRESS = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/;

/** The address of a database that no other test file uses. */
export function freshDatabaseUri(): string {
  const base = process.env.POSTROOM_TEST_MONGODB_URI;
  if (!base) throw new Error('no test database: run the tests with "npm test" or "npx jest", which start one');
  // A pattern and not URL: the address of a replica set names several hosts.
  const [, server, options = ''] = ADDRESS.exec(base) ?? [];
  if (!server) throw new Error(`not the address of a MongoDB server: ${base}`);
  return `${server}/test_${randomBytes(6).toString('hex')}${options}`;
}
