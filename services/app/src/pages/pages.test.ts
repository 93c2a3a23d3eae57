import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBuiltPages } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'postroom-pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(
  join(folder, 'index.html'),
  '<meta name="style-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__">',
);
writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'console.log(1);'.repeat(100));

let count = 0;
const context = { ids: (prefix: string) => `${prefix}_${(count += 1)}` };
const serve = openBuiltPages({ folder, isSecure: true, context });
const server = createServer((request, response) => serve(request.url ?? '', request, response));
let base: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

describe('the pages', () => {
  it.each(['/', '/keys', '/mailboxes/mbx_1', '/../../etc/passwd', '/index.html'])(
    '%s is the application',
    async (path) => {
      const response = await fetch(`${base}${path}`);
      const text = await response.text();
      const [, nonce] = /content="(\w+)"/.exec(text) ?? [];
      expect(text).toContain(`<style nonce="${nonce}">`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
      const policy = response.headers.get('content-security-policy')?.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy?.join()).not.toContain('unsafe');
    },
  );

  it('have another nonce each time', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(base)).headers.get('content-security-policy')),
    );
    expect(policies[0]).not.toBe(policies[1]);
  });

  it('bring files that are kept for a year, compressed for whoever takes it', async () => {
    const { headers } = await fetch(`${base}/assets/main-1a2b.js`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const plain = await fetch(`${base}/assets/main-1a2b.js`, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), (await plain.text()).length]).toEqual([null, 1_500]);
  });

  it('404 for a file of another build, which is no page', async () => {
    expect((await fetch(`${base}/assets/main-0000.js`)).status).toBe(404);
  });
});
