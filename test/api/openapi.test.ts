import { beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { storeDelivery } from '../support/deliveries.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

interface Description {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
}

const stack = useStack();
let home: TestWorkspace;
let description: Description;

beforeAll(async () => {
  home = await stack.workspace();
  description = (await stack.client().get('/openapi.json')).body as Description;
});

describe('GET /openapi.json', () => {
  it('200 without a key, uncounted and without rate limit headers', async () => {
    const answer = await stack.client().get('/openapi.json');
    expect([answer.status, answer.body.openapi]).toEqual([200, '3.1.0']);
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('describes only what exists: every operation asks for a key, and for its scope, which no unknown route does', async () => {
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'none')] as const),
    );
    expect(operations).toHaveLength(routes.length + 1);
    const { secret } = await home.createKey({ scopes: ['write'] });
    for (const [method, path] of operations) {
      if (path === '/openapi.json') continue;
      expect((await stack.client().request(method, path)).status).toBe(401);
      const withoutScope = method === 'GET' ? stack.client(secret) : home.read;
      const { body } = await withoutScope.request(method, path);
      expect([method, path, body.code]).toEqual([method, path, 'INSUFFICIENT_SCOPE']);
    }
  });
});

describe('an answer', () => {
  const sample: Record<string, string> = {};

  beforeAll(async () => {
    const mailbox = await home.connectMailbox({ aliases: ['other@example.com'] });
    const [emailId = ''] = await home.ingest(mailbox.id, [{ subject: 'Hello', cc: 'c@example.com' }]);
    const [draftId = ''] = await home.ingest(mailbox.id, [{ folderType: 'DRAFTS', subject: 'Draft' }]);
    const { id: signatureId } = await stack.workspaces.createSignature(
      { workspaceId: home.id, name: 'S', html: '<p>S</p>', isDefault: true, mailboxId: undefined },
      {},
    );
    const label = (await home.write.post('/labels', { name: 'A', color: 'Red' })).body.label;
    const view = (await home.write.post('/views', { name: 'V', icon: '📥' })).body.view;
    const filter = (await home.write.post('/filters', { type: 'label', value: label.id })).body.filter;
    await home.write.post(`/emails/${emailId}/labels/${label.id}`);
    Object.assign(sample, { mailboxId: mailbox.id, emailId, draftId, signatureId });
    Object.assign(sample, { labelId: label.id, viewId: view.id, filterId: filter.id });
    sample['threadId'] = (await home.read.get(`/emails/${emailId}`)).body.email.threadId;
    const endpoint = { url: 'https://hooks.example.com/', events: ['mailbox.sync_failed'] };
    const webhookId = (await home.write.post('/webhooks', endpoint)).body.webhook.id;
    await storeDelivery(stack, home.id, webhookId, { _id: 'dlv_described' });
    Object.assign(sample, { webhookId });
    // Two resources have a "ruleId": theirs are told apart by the resource.
    const aiRule = { name: 'R', color: 'Red', condition: 'an invoice' };
    sample['ai-label-rules'] = (await home.write.post('/ai-label-rules', aiRule)).body.rule.id;
    const forwarding = { conditionValue: 'R', forwardTo: 'b@example.com' };
    const ruleId = (await home.send.post('/auto-forward-rules', forwarding)).body.rule.id;
    sample['auto-forward-rules'] = ruleId;
    const attempt = { ruleId, emailId, forwardTo: 'b@example.com', mode: 'normal', status: 'sent', attempts: 1 };
    await stack.labelRule.recordForward({ ...attempt, reason: undefined }, { workspaceId: home.id });
  });

  const readable = routes.filter(({ method, reply }) => method === 'GET' && reply.schema);
  it.each(readable.map((route) => [route.path, route] as const))(
    'of GET %s is what is described, field by field',
    async (path, route) => {
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_whole, name: string) => sample[name] ?? sample[path.split('/')[1] ?? ''] ?? '',
      );
      const answer = await home.read.get(path === '/emails/search' ? `${filled}?q=hello` : filled);
      expect(answer.status).toBe(200);
      expect(answer.body.items ?? ['one']).not.toEqual([]);
      // parse() drops every field that the schema does not describe, so the schema must describe all of them.
      expect((route.reply.schema as z.ZodType).parse(answer.body)).toEqual(answer.body);
    },
  );
});

describe('the API page', () => {
  const get = (address: string) => fetch(new URL(address, stack.docsUrl));

  it('200 without a key, with everything it needs from here', async () => {
    const page = await get('/docs');
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\//);
      expect((await get(part)).status).toBe(200);
    }
  });

  it('forbids scripts and anything else from elsewhere, and has no script inline', async () => {
    const page = await get('/docs');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(await page.text()).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|style=/);
  });

  it('404 in JSON for another file of the package', async () => {
    for (const path of [
      '/docs/index.html',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/package.json',
    ]) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    }
  });
});
