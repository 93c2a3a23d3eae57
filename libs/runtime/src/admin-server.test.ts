import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openAdminServer } from './admin-server.ts';
import type { AdminServer } from './admin-server.ts';
import { silentLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';

describe('the admin port', () => {
  const log = silentLog;
  let readiness = createReadiness();
  let admin: AdminServer;
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${admin.port}${path}`, { method });
    return { status: response.status, text: await response.text() };
  };

  beforeEach(async () => {
    readiness = createReadiness();
    const metrics = createMetrics('test');
    metrics.counter('requests_total', 'Requests.').add(1);
    admin = await openAdminServer({ port: 0, host: '127.0.0.1' }, { readiness, metrics, log });
  });
  afterEach(() => admin.close());

  it('200 /livez while the engines are down and while draining', async () => {
    readiness.add('database', () => Promise.reject(new Error('down')));
    readiness.drain();
    expect(await get('/livez')).toEqual({ status: 200, text: 'ok\n' });
  });

  it('200 /readyz, then 503 naming what failed', async () => {
    expect((await get('/readyz')).status).toBe(200);
    readiness.add('database', () => Promise.reject(new Error('mongodb://secret')));
    expect(await get('/readyz')).toEqual({ status: 503, text: 'not ready: database\n' });
  });

  it('503 /readyz once draining', async () => {
    readiness.drain();
    expect((await get('/readyz')).status).toBe(503);
  });

  it('200 /metrics', async () => {
    expect((await get('/metrics?x=1')).text).toContain('requests_total{service="test"} 1');
  });

  it.each([
    ['GET', '/'],
    ['GET', '/constructor'],
    ['POST', '/livez'],
  ])('404 %s %s', async (method, path) => {
    expect((await get(path, method)).status).toBe(404);
  });

  it('refuses a port that is taken', async () => {
    const again = openAdminServer(
      { port: admin.port, host: '127.0.0.1' },
      { readiness, metrics: createMetrics('x'), log },
    );
    await expect(again).rejects.toThrow('EADDRINUSE');
  });
});
