import { describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

describe('GET /mailboxes', () => {
  it('200 with every field of a mailbox and nothing of its server', async () => {
    const workspace = await stack.workspace();
    const own = await workspace.connectMailbox({
      email: 'Own@Example.com',
      name: 'Own',
      aliases: ['alias@example.com'],
    });
    const server = {
      imapAddress: 'imap.hidden.example:993',
      smtpAddress: 'smtp.hidden.example:465',
      user: 'hidden',
      password: 'hidden',
    };
    const request = { workspaceId: workspace.id, email: 'far@example.com', aliases: [], withoutTrash: true, server };
    await stack.workspaces.connectMailbox(request, {});

    const { status, body } = await workspace.read.get('/mailboxes');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items).toEqual([
      {
        id: own.id,
        email: 'Own@Example.com',
        name: 'Own',
        provider: 'development',
        status: 'active',
        aliases: [{ email: 'alias@example.com', name: null, verified: true }],
        folders: ['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'].map((type) => ({
          id: expect.stringMatching(/^fld_/),
          name: expect.any(String),
          type,
        })),
        lastSyncedAt: null,
        createdAt: own.createdAt,
      },
      expect.objectContaining({ provider: 'imap', name: null, aliases: [] }),
    ]);
    expect(body.items[1].folders).toHaveLength(4);
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('200 shows a mailbox as disconnected until it is reconnected', async () => {
    const workspace = await stack.workspace();
    const { id: mailboxId } = await workspace.connectMailbox();
    const status = async () => (await workspace.read.get('/mailboxes')).body.items[0].status;
    await stack.workspaces.disconnectMailbox({ mailboxId }, {});
    expect(await status()).toBe('disconnected');
    await stack.workspaces.reconnectMailbox({ mailboxId }, {});
    expect(await status()).toBe('active');
  });

  it('200 without those of another workspace', async () => {
    const [workspace, other] = [await stack.workspace(), await stack.workspace()];
    await other.connectMailbox();
    expect((await workspace.read.get('/mailboxes')).body).toEqual({ items: [] });
  });

  it('401 INVALID_API_KEY without a key', async () => {
    expect(await stack.client().get('/mailboxes')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });

  it('403 INSUFFICIENT_SCOPE with a key that may only write', async () => {
    const workspace = await stack.workspace();
    const { secret } = await workspace.createKey({ scopes: ['write'] });
    expect(await stack.client(secret).get('/mailboxes')).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', details: { required: 'read', granted: ['write'] } },
    });
  });

  it('404 NOT_FOUND for everything that would change one', async () => {
    const workspace = await stack.workspace();
    const { id } = await workspace.connectMailbox();
    const answers = [
      await workspace.send.post('/mailboxes', {}),
      await workspace.send.get(`/mailboxes/${id}`),
      await workspace.send.delete(`/mailboxes/${id}`),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});
