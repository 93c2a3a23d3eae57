import { describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

const sign = (workspaceId: string, more: object = {}) =>
  stack.workspaces.createSignature({ workspaceId, name: 'S', html: '<p>Regards</p>', isDefault: false, ...more }, {});

describe('GET /signatures', () => {
  it('200 with every field, in order of position', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const first = await sign(workspace.id, { name: 'First', isDefault: true });
    const second = await sign(workspace.id, { name: 'Second', mailboxId: mailbox.id });

    const { status, body } = await workspace.read.get('/signatures');
    expect(status).toBe(200);
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(body).toEqual({
      items: [
        { id: first.id, name: 'First', isDefault: true, position: 0, aliasEmail: null, mailboxId: null, ...times },
        {
          id: second.id,
          name: 'Second',
          isDefault: false,
          position: 1,
          aliasEmail: null,
          mailboxId: mailbox.id,
          ...times,
        },
      ],
    });
  });

  it('200 with one default: the newest', async () => {
    const workspace = await stack.workspace();
    await sign(workspace.id, { isDefault: true });
    const newest = await sign(workspace.id, { isDefault: true });
    const { body } = await workspace.read.get('/signatures');
    const defaults = body.items.filter(({ isDefault }: { isDefault: boolean }) => isDefault);
    expect(defaults).toMatchObject([{ id: newest.id }]);
  });

  it('200 without those of another workspace', async () => {
    const [workspace, other] = [await stack.workspace(), await stack.workspace()];
    await sign(other.id);
    expect((await workspace.read.get('/signatures')).body).toEqual({ items: [] });
  });

  it('401 INVALID_API_KEY without a key', async () => {
    expect(await stack.client().get('/signatures')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });

  it('403 INSUFFICIENT_SCOPE with a key that may only write', async () => {
    const workspace = await stack.workspace();
    const { secret } = await workspace.createKey({ scopes: ['write'] });
    expect((await stack.client(secret).get('/signatures')).body).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });
});
