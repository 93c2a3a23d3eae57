import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { WorkspaceOperatorServiceDefinition, WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect, type Connection } from '@postroom/rpc/connect';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { hashOf } from './keys/secret.ts';
import { service } from './service.ts';

const clock = manualClock('2026-06-01T00:00:00Z');
const context = createServiceContext({ name: 'workspace', clock, log: silentLog });
let api: Connection<WorkspaceServiceDefinition> & Connection<WorkspaceOperatorServiceDefinition>;
let workspaceId: string;
let collections: Collections;

beforeAll(async () => {
  const uri = freshDatabaseUri();
  const store = await openMailStore({ uri, needsSchema: false }, context);
  collections = store.collections;
  await migrate(store.connection, context);
  context.lifecycle.add('test database', () => store.connection.dropDatabase());
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  context.lifecycle.add('keys', () => rm(keys, { recursive: true }));
  const token = 'operators';
  const ports = { GRPC_PORT: 0, OPERATOR_PORT: 0, OPERATOR_TOKEN: token };
  const { port, operatorPort } = await service.open(
    service.config.parse({ MONGODB_URI: uri, HOST: '127.0.0.1', SECRET_KEYS: keys, ...ports }),
    context,
  );
  api = {
    ...connect(WorkspaceServiceDefinition, `127.0.0.1:${port}`, { context }),
    ...connect(WorkspaceOperatorServiceDefinition, `127.0.0.1:${operatorPort}`, { context, token }),
  };
});
afterAll(() => context.lifecycle.close());
beforeEach(async () => {
  workspaceId = (await api.createWorkspace({ name: 'Acme', plan: 'premium' }, {})).id;
});

const createKey = (more: object = {}) =>
  api.createKey({ workspaceId, name: 'k', scopes: ['read'], allowOutboundSend: false, ...more }, {});
const connectMailbox = (email: string, more: object = {}) =>
  api.connectMailbox({ workspaceId, email, aliases: [], withoutTrash: false, ...more }, {});
const refusal = (code: string, details: object = {}) => expect.objectContaining({ code, ...details });

describe('workspaces', () => {
  it('are listed, suspended, resumed', async () => {
    const { items } = await api.listWorkspaces({}, {});
    expect(items).toContainEqual(expect.objectContaining({ id: workspaceId, plan: 'premium', isSuspended: false }));
    expect(await api.suspendWorkspace({ workspaceId }, {})).toMatchObject({ isSuspended: true });
    expect(await api.resumeWorkspace({ workspaceId }, {})).toMatchObject({ isSuspended: false });
  });

  it('fall back to Free when the subscription ends', async () => {
    const until = new Date(clock.now() + 1_000).toISOString();
    expect(await api.changePlan({ workspaceId, plan: 'expert', until }, {})).toMatchObject({ planInForce: 'expert' });
    await clock.advance(1_000);
    const { items } = await api.listWorkspaces({}, {});
    expect(items.find(({ id }) => id === workspaceId)).toMatchObject({
      plan: 'expert',
      planUntil: until,
      planInForce: 'free',
    });
  });

  it.each([
    [{ name: ' ', plan: 'free' }, 'name'],
    [{ name: 'x', plan: 'gold' }, 'plan'],
  ])('VALIDATION_FAILED for %j', async (request, field) => {
    const details = { [field]: [expect.any(String)] };
    await expect(api.createWorkspace(request, {})).rejects.toEqual(refusal('VALIDATION_FAILED', { details }));
  });

  it('NOT_FOUND names what to do when the workspace is unknown', async () => {
    const calls = [
      () => api.suspendWorkspace({ workspaceId: 'wsp_no' }, {}),
      () => api.resumeWorkspace({ workspaceId: 'wsp_no' }, {}),
      () => api.changePlan({ workspaceId: 'wsp_no', plan: 'free' }, {}),
      () => api.listKeys({ workspaceId: 'wsp_no' }, {}),
      () => api.listWorkspaceMailboxes({ workspaceId: 'wsp_no' }, {}),
      () => createKey({ workspaceId: 'wsp_no' }),
      () => connectMailbox('a@example.com', { workspaceId: 'wsp_no' }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toEqual(
        refusal('NOT_FOUND', { message: expect.stringContaining('workspace list') }),
      );
    }
  });
});

describe('keys', () => {
  it('are found by the hash of their secret, together with the workspace', async () => {
    const { key, secret } = await createKey({ scopes: ['write', 'read'], allowOutboundSend: true });
    expect(secret).toMatch(/^mk_[0-9A-Za-z]{40}$/);
    const found = await api.resolveKey({ secretHash: hashOf(secret) }, {});
    expect(found.key).toEqual(key);
    expect(found.workspace).toMatchObject({ id: workspaceId, planInForce: 'premium' });
    expect(await api.resolveKey({ secretHash: hashOf('mk_no') }, {})).toEqual({});
  });

  it('stay revoked as of the first time', async () => {
    const { key } = await createKey();
    const revoke = () => api.revokeKey({ workspaceId, keyId: key?.id ?? '' }, {});
    const { revokedAt } = await revoke();
    await clock.advance(60_000);
    expect(await revoke()).toMatchObject({ revokedAt });
    await expect(api.revokeKey({ workspaceId, keyId: 'key_no' }, {})).rejects.toEqual(refusal('NOT_FOUND'));
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['admin'] }, 'scopes.0'],
    [{ allowOutboundSend: true }, 'allowOutboundSend'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  ])('VALIDATION_FAILED for %j', async (fields, field) => {
    const details = { [field]: [expect.any(String)] };
    await expect(createKey(fields)).rejects.toEqual(refusal('VALIDATION_FAILED', { details }));
  });

  it('CONFLICT beyond the cap, however many are asked for at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 25 }, () => createKey()));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(results.length - refused.length).toBe(10);
    for (const { reason } of refused)
      expect(reason).toEqual(refusal('CONFLICT', { details: { plan: 'premium', cap: 10 } }));
    expect((await api.listKeys({ workspaceId }, {})).items).toHaveLength(10);
  });

  it('revoked and expired ones free their slot', async () => {
    await api.changePlan({ workspaceId, plan: 'free' }, {});
    const expiresAt = new Date(clock.now() + 5_000).toISOString();
    await createKey({ expiresAt });
    const { key } = await createKey();
    await expect(createKey()).rejects.toEqual(refusal('CONFLICT'));
    await clock.advance(5_000);
    await createKey();
    await expect(createKey()).rejects.toEqual(refusal('CONFLICT'));
    await api.revokeKey({ workspaceId, keyId: key?.id ?? '' }, {});
    await createKey();
    await expect(createKey()).rejects.toEqual(refusal('CONFLICT'));
  });

  it('go on after a change to a smaller plan, which lets no new one in', async () => {
    const created = await Promise.all([createKey(), createKey(), createKey()]);
    await api.changePlan({ workspaceId, plan: 'free' }, {});
    await expect(createKey()).rejects.toEqual(refusal('CONFLICT', { details: { plan: 'free', cap: 2 } }));
    for (const { key } of created.slice(0, 2)) await api.revokeKey({ workspaceId, keyId: key?.id ?? '' }, {});
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => createKey()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('mailboxes', () => {
  it('have five folders, or four without the trash', async () => {
    const types = ({ folders }: { folders: { type: string }[] }) => folders.map(({ type }) => type);
    expect(types(await connectMailbox('a@example.com'))).toEqual(['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH']);
    const without = await connectMailbox('b@example.com', { withoutTrash: true });
    expect(types(without)).toEqual(['INBOX', 'SENT', 'DRAFTS', 'SPAM']);
  });

  it('CONFLICT for the same address in other letters, but not in another workspace', async () => {
    await connectMailbox('Ann@Example.com');
    await expect(connectMailbox('ann@example.COM')).rejects.toEqual(refusal('CONFLICT'));
    const other = await api.createWorkspace({ name: 'Other', plan: 'free' }, {});
    await connectMailbox('ann@example.com', { workspaceId: other.id });
  });

  it('are reached by address and alias, in every workspace, while connected', async () => {
    const address = `${workspaceId}@example.com`;
    const first = await connectMailbox(address);
    const other = await api.createWorkspace({ name: 'Other', plan: 'free' }, {});
    const second = await connectMailbox('x@example.com', { workspaceId: other.id, aliases: [address.toUpperCase()] });
    const server = { imapAddress: 'h:993', smtpAddress: 'h:465', user: 'u', password: 'p' };
    await connectMailbox(address, {
      workspaceId: (await api.createWorkspace({ name: 'I', plan: 'free' }, {})).id,
      server,
    });

    const reached = async () => (await api.findRecipient({ address }, {})).recipients.map(({ mailboxId }) => mailboxId);
    expect((await reached()).sort()).toEqual([first.id, second.id].sort());
    expect(await api.disconnectMailbox({ mailboxId: first.id }, {})).toMatchObject({ status: 'disconnected' });
    expect(await reached()).toEqual([second.id]);
    expect(await api.reconnectMailbox({ mailboxId: first.id }, {})).toMatchObject({ status: 'active' });
    expect(await reached()).toHaveLength(2);
  });

  it('never show their server, but to operators, and what they log in with to nobody', async () => {
    const server = {
      imapAddress: 'imap.host:993',
      smtpAddress: 'smtp.host:465',
      user: 'secret-user',
      password: 'secret',
    };
    const mailbox = await connectMailbox('imap@example.com', { server, aliases: ['alias@example.com'] });
    expect(mailbox).toMatchObject({ provider: 'imap', aliases: [{ email: 'alias@example.com', verified: true }] });
    expect(JSON.stringify(mailbox)).not.toMatch(/secret|host/);
    const located = { workspaceId, mailbox, server: { ...server, password: '' } };
    expect(await api.locateMailbox({ mailboxId: mailbox.id }, {})).toEqual(located);
  });

  it('MAILBOX_NOT_FOUND for an unknown id', async () => {
    for (const call of [api.locateMailbox, api.disconnectMailbox, api.reconnectMailbox]) {
      await expect(call({ mailboxId: 'mbx_no' }, {})).rejects.toEqual(refusal('MAILBOX_NOT_FOUND'));
    }
  });

  it('VALIDATION_FAILED for an address that is more than one mailbox', async () => {
    const details = { email: [expect.any(String)] };
    await expect(connectMailbox('a@example.com, b@example.com')).rejects.toEqual(
      refusal('VALIDATION_FAILED', { details }),
    );
  });
});

describe('signatures', () => {
  const sign = (more: object = {}) =>
    api.createSignature({ workspaceId, name: 'S', html: '<p>Regards</p>', isDefault: false, ...more }, {});

  it('stand in the order of their creation', async () => {
    expect([(await sign()).position, (await sign()).position]).toEqual([0, 1]);
  });

  it('have one default in the workspace and one in each mailbox', async () => {
    const mailbox = await connectMailbox('s@example.com');
    const first = await sign({ isDefault: true });
    const own = await sign({ isDefault: true, mailboxId: mailbox.id });
    const second = await sign({ isDefault: true });
    const stored = await collections.signatures.find({ workspaceId, isDefault: true }).lean();
    const defaults = stored.map(({ _id }) => _id);
    expect(defaults.sort()).toEqual([own.id, second.id].sort());
    expect(defaults).not.toContain(first.id);
  });

  it('MAILBOX_NOT_FOUND for a mailbox of another workspace', async () => {
    const other = await api.createWorkspace({ name: 'Other', plan: 'free' }, {});
    const foreign = await connectMailbox('f@example.com', { workspaceId: other.id });
    await expect(sign({ mailboxId: foreign.id })).rejects.toEqual(refusal('MAILBOX_NOT_FOUND'));
  });
});
