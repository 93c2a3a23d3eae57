import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStack, type TestStack } from '../support/stack.ts';

describe('GET /emails', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  it('200 smoke', async () => {
    const w = await stack.workspace();
    const m = await w.connectMailbox();
    const ids = await w.ingest(m.id, [{ subject: 'A' }, { subject: 'B' }]);
    console.log(ids);
    for (const p of ['/emails', '/emails?folderType=INBOX', '/emails/search?q=hello', `/emails/${ids[0]}`, `/emails/${ids[0]}/body`, '/drafts', '/mailboxes', '/signatures', '/views', '/filters']) {
      const r = await w.read.get(p);
      console.log(p, r.status, JSON.stringify(r.body).slice(0, 1500));
    }
  });
});
