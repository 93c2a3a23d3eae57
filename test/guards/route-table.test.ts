import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { expectGolden } from './golden.ts';

describe('the table of routes', () => {
  it('is the one that was agreed: method, path, scope, permission, idempotent, feature', () => {
    const lines = routes.map(({ method, path, scope, permission = '', idempotent, feature = '' }) =>
      `${method.padEnd(6)} ${path.padEnd(33)} ${scope.padEnd(5)} ${permission.padEnd(5)} ${(idempotent ? 'idempotent' : '').padEnd(10)} ${feature}`.trimEnd(),
    );
    expectGolden(join(__dirname, 'endpoints.golden.txt'), `${lines.join('\n')}\n`, 'test/guards/route-table');
  });

  it('can replay every call that creates or changes by POST', () => {
    expect(routes.filter(({ method, idempotent }) => method === 'POST' && !idempotent)).toEqual([]);
  });

  it('has no path twice and no operation id twice', () => {
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });
});
