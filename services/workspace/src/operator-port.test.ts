import { rename, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { WorkspaceAppServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { eventually } from '../../../test/engines/eventually.ts';
import { readRepositoryFile, repositoryFiles } from '../../../test/guards/sources.ts';
import { openOperatorPort, server, type OperatorPort } from '../../../test/support/operator-port.ts';

let operatorPort: OperatorPort;
let collections: Collections;
let keys: string;
beforeEach(async () => {
  operatorPort = await openOperatorPort();
  ({ collections, keys } = operatorPort);
});
afterEach(() => operatorPort.close());

const operators = (token?: string, address?: string) => operatorPort.operators(token, address);
const access = (token?: string) => operatorPort.access(token);

async function connectMailbox(password: string) {
  const { id: workspaceId } = await operators().createWorkspace({ name: 'W', plan: 'free' }, {});
  const request = { workspaceId, email: 'a@there.example', aliases: [], withoutTrash: false };
  const { id: mailboxId } = await operators().connectMailbox({ ...request, server: server(password) }, {});
  return { workspaceId, mailboxId };
}

describe('the operator port', () => {
  it('is the only one for operators: the port of the gateway mints no key', async () => {
    const request = { name: 'W', plan: 'expert' };
    await expect(operators('', operatorPort.ordinary).createWorkspace(request, {})).rejects.toThrow();
    await expect(operators('operators', operatorPort.ordinary).createWorkspace(request, {})).rejects.toThrow();
    expect(await collections.workspaces.countDocuments({})).toBe(0);
  });

  it.each([
    ['no token', ''],
    ['another token', 'guess'],
    ["another service's token", 'sync'],
  ])('is shut to %s, for reads as for writes', async (_what, token) => {
    const refused = { code: 'INVALID_API_KEY' };
    await expect(operators(token).createWorkspace({ name: 'W', plan: 'free' }, {})).rejects.toMatchObject(refused);
    await expect(operators(token).listWorkspaces({}, {})).rejects.toMatchObject(refused);
    expect(await collections.workspaces.countDocuments({})).toBe(0);
  });

  it("hands no password to an operator's token", async () => {
    const mailbox = await connectMailbox('pass');
    await expect(access('operators').getMailboxAccess(mailbox, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });
});

describe('the token of the app', () => {
  const makeKey = (workspaceId: string) => ({ workspaceId, name: 'ci', scopes: ['read'], allowOutboundSend: false });

  it('opens the calls of its pages', async () => {
    const { id: workspaceId } = await operators().createWorkspace({ name: 'W', plan: 'free' }, {});
    const { key } = await operatorPort.app().createKey(makeKey(workspaceId), {});
    expect((await operatorPort.app().listKeys({ workspaceId }, {})).items).toEqual([key]);
  });

  it.each([
    ['no token', ''],
    ['the token of operators', 'operators'],
    ['the token of mailboxes', 'sync'],
  ])('401 INVALID_API_KEY for its calls with %s', async (_what, token) => {
    const refused = { code: 'INVALID_API_KEY' };
    await expect(operatorPort.app(token).createKey(makeKey('ws_1'), {})).rejects.toMatchObject(refused);
    await expect(operatorPort.app(token).locateMailbox({ mailboxId: 'mbx_1' }, {})).rejects.toMatchObject(refused);
  });

  it('opens no call of operators, on either port, and no credentials of mailboxes', async () => {
    const { id: workspaceId } = await operators().createWorkspace({ name: 'W', plan: 'free' }, {});
    for (const address of [undefined, operatorPort.ordinary]) {
      await expect(operators('app', address).changePlan({ workspaceId, plan: 'expert' }, {})).rejects.toThrow();
      await expect(operators('app', address).listWorkspaces({}, {})).rejects.toThrow();
    }
    const mailbox = await connectMailbox('pass');
    await expect(access('app').getMailboxAccess(mailbox, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await collections.workspaces.countDocuments({ plan: 'expert' })).toBe(0);
  });

  it('opens no call that no page makes', () => {
    const routes = repositoryFiles('services/app/src/routes').map(readRepositoryFile).join('\n');
    const unused = Object.keys(WorkspaceAppServiceDefinition.methods).filter(
      (name) => !new RegExp(`\\bworkspaces\\.${name}\\(`).test(routes),
    );
    expect(unused).toEqual([]);
  });
});

describe('passwords of mailboxes', () => {
  it('are sealed where they are stored, and open for whoever logs in', async () => {
    const mailbox = await connectMailbox('canary-password');
    const stored = JSON.stringify(await collections.mailboxes.find({}).lean());
    expect(stored).not.toContain('canary-password');
    expect(await access().getMailboxAccess(mailbox, {})).toEqual({ ...server('canary-password'), tokenEpoch: 0 });
  });

  it('do not open in the document of another mailbox', async () => {
    const [one, other] = [await connectMailbox('one'), await connectMailbox('other')];
    const { credentials } = (await collections.mailboxes.findById(one.mailboxId).lean()) ?? {};
    await collections.mailboxes.updateOne({ _id: other.mailboxId }, { $set: { credentials } });
    await expect(access().getMailboxAccess(other, {})).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('that an older version left in the clear are sealed at the next start', async () => {
    const mailbox = await connectMailbox('new');
    const plain = { $set: { server: server('old-plain'), credentials: null } };
    await collections.mailboxes.updateOne({ _id: mailbox.mailboxId }, plain);
    expect(await operators().countSecrets({}, {})).toMatchObject({ plainCount: 1 });
    await operatorPort.open();
    await eventually(async () => expect(await operators().countSecrets({}, {})).toMatchObject({ plainCount: 0 }));
    expect(JSON.stringify(await collections.mailboxes.find({}).lean())).not.toContain('old-plain');
    expect(await access().getMailboxAccess(mailbox, {})).toMatchObject({ password: 'old-plain' });
  });

  it('go over to a new key as they are, and open without the old one then', async () => {
    const mailbox = await connectMailbox('pass');
    const before = await collections.mailboxes.findById(mailbox.mailboxId).lean();
    await writeFile(join(keys, '2026-02-01'), randomBytes(32));
    const under = (keyId: string) => [{ keyId, count: 1, isKnown: true }];
    expect(await operators().countSecrets({}, {})).toMatchObject({
      newestKeyId: '2026-02-01',
      sealed: under('2026-01-01'),
    });
    expect(await operators().rotateSecrets({}, {})).toMatchObject({ sealed: under('2026-02-01') });
    const after = await collections.mailboxes.findById(mailbox.mailboxId).lean();
    expect(after?.credentials?.sealed).toBe(before?.credentials?.sealed);
    await rename(join(keys, '2026-01-01'), join(keys, '.gone'));
    expect(await access().getMailboxAccess(mailbox, {})).toMatchObject({ password: 'pass' });
  });

  it('open and are counted beside a key file that holds no key, which is named', async () => {
    const mailbox = await connectMailbox('kept');
    await writeFile(join(keys, '2026-02-01'), 'half a k');
    expect(await operators().countSecrets({}, {})).toMatchObject({
      newestKeyId: '2026-01-01',
      unreadableKeyIds: ['2026-02-01'],
    });
    expect(await access().getMailboxAccess(mailbox, {})).toMatchObject({ password: 'kept' });
  });

  it('are counted under a key that is gone, too, and keep the others from nothing', async () => {
    await connectMailbox('lost');
    await rename(join(keys, '2026-01-01'), join(keys, '.gone'));
    await writeFile(join(keys, '2026-02-01'), randomBytes(32));
    await connectMailbox('kept');
    const sealed = [
      { keyId: '2026-02-01', count: 1, isKnown: true },
      { keyId: '2026-01-01', count: 1, isKnown: false },
    ];
    expect(await operators().rotateSecrets({}, {})).toMatchObject({ newestKeyId: '2026-02-01', sealed });
  });
});
