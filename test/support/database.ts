import { randomBytes } from 'node:crypto';

/** The address of a database that no other test file uses. */
export function freshDatabaseUri(): string {
  const base = process.env.POSTROOM_TEST_MONGODB_URI;
  if (!base) throw new Error('no test database: run the tests with "npm test" or "npx jest", which start one');
  const uri = new URL(base);
  uri.pathname = `/test_${randomBytes(6).toString('hex')}`;
  return uri.href;
}
