import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { commands } from '../../services/operator/src/commands/commands.ts';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { useStack } from '../support/use-stack.ts';

const ROOT = resolve(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'postroom-cli-'));
const stack = useStack();
let postroom: CommandLine;

beforeAll(async () => {
  postroom = commandLine(addressesOf(stack));
});

const newWorkspace = async (plan = 'premium'): Promise<string> =>
  (await postroom.json('workspace', 'create', '--name', 'Acme', '--plan', plan)).id;

/** All that list something of a workspace, and need nothing else. */
const lists = commands.filter(({ path, options }) => {
  const needed = Object.entries(options).filter(([, { required }]) => required);
  return /list|status/.test(path.at(-1) ?? '') && needed.length === 1 && needed[0]?.[0] === 'workspaceId';
});

describe('an operator', () => {
  it.each(lists.map(({ path }) => path.join(' ')))(
    'hears of a workspace that does not exist: postroom %s',
    async (path) => {
      const said = await postroom(...path.split(' '), '--workspace', 'wsp_none');
      expect(said).toMatchObject({ exitCode: 1, stdout: '' });
      expect(said.stderr).toContain('There is no workspace "wsp_none"; "postroom workspace list" shows');
    },
  );

  it('makes a workspace and a key that the API knows at once', async () => {
    const workspace = await newWorkspace();
    const answer = await postroom.json(
      'key',
      'create',
      '--workspace',
      workspace,
      '--name',
      'K',
      '--scopes',
      'read,write',
      '--allow-send',
    );
    expect(Object.keys(answer)).toEqual(['id', 'secret']);
    expect((await stack.client(answer.secret).get('/labels')).status).toBe(200);

    await postroom.json('key', 'revoke', '--workspace', workspace, '--key', answer.id);
    const { items } = await postroom.json('key', 'list', '--workspace', workspace);
    expect(items).toMatchObject([
      { id: answer.id, scopes: ['read', 'write'], allowOutboundSend: true, state: 'revoked' },
    ]);
    expect(JSON.stringify(items)).not.toContain(answer.secret);
  });

  it('suspends and resumes a workspace, and sets a plan with an end', async () => {
    const id = await newWorkspace();
    expect(await postroom.json('workspace', 'suspend', '--workspace', id)).toMatchObject({ id, isSuspended: true });
    expect(await postroom.json('workspace', 'resume', '--workspace', id)).toMatchObject({ id, isSuspended: false });
    expect(
      await postroom.json('workspace', 'plan', '--workspace', id, '--plan', 'expert', '--until', '2020-01-01'),
    ).toMatchObject({
      plan: 'expert',
      planUntil: '2020-01-01T00:00:00.000Z',
      planInForce: 'free',
    });
    const { items } = await postroom.json('workspace', 'list');
    expect(items.map((item: { id: string }) => item.id)).toContain(id);
  });

  it('connects mailboxes of the development mail server and of a server by IMAP, and signs', async () => {
    const workspace = await newWorkspace();
    const password = join(folder, 'password');
    writeFileSync(password, 'secret word\n');
    const own = [
      '--email',
      'a@example.com',
      '--name',
      'Ann',
      '--alias',
      'b@example.com',
      '--alias',
      'c@example.com',
      '--no-trash',
    ];
    const { id } = await postroom.json('mailbox', 'connect', '--workspace', workspace, ...own);
    const server = [
      '--imap',
      'imap.example.com:993',
      '--smtp',
      'smtp.example.com:465',
      '--user',
      'ann',
      '--password-file',
      password,
      '--untried',
    ];
    const remote = await postroom.json(
      'mailbox',
      'connect',
      '--workspace',
      workspace,
      '--email',
      'r@example.com',
      ...server,
    );

    const { items } = await postroom.json('mailbox', 'list', '--workspace', workspace);
    expect(items).toMatchObject([
      { id, provider: 'development', name: 'Ann', aliases: [{ email: 'b@example.com' }, { email: 'c@example.com' }] },
      { id: remote.id, provider: 'imap', name: null },
    ]);
    expect(items[0].folders).toHaveLength(4);
    const stored = await stack.collections.mailboxes.findOne({ _id: remote.id }).lean();
    expect(stored?.server).toMatchObject({ imapAddress: 'imap.example.com:993', user: 'ann' });
    expect(stored?.server).not.toHaveProperty('password');
    expect(JSON.stringify(stored)).not.toContain('secret word');
    const sealed = { newestKeyId: '2026-01-01', onOldKeys: 0, inTheClear: 0 };
    expect(await postroom.json('secrets', 'status')).toMatchObject(sealed);
    expect(await postroom.json('secrets', 'rotate')).toMatchObject(sealed);
    expect((await postroom('secrets', 'status')).stdout).toMatch(/2026-01-01\W+1\W+newest/);

    expect(await postroom.json('mailbox', 'disconnect', '--mailbox', id)).toMatchObject({ status: 'disconnected' });
    expect(await postroom.json('mailbox', 'reconnect', '--mailbox', id)).toMatchObject({ status: 'active' });
    const html = ['--name', 'S', '--html', '<p>x</p>', '--default', '--mailbox', id];
    expect(await postroom.json('signature', 'create', '--workspace', workspace, ...html)).toEqual({
      id: expect.stringMatching(/^sig_/),
    });
  });

  it('migrates as often as wished', async () => {
    const first = await postroom.json('migrate');
    expect(await postroom.json('migrate')).toEqual(first);
    expect(first.schemaVersion).toBeGreaterThan(0);
  });

  it('reads tables when nothing else is asked for', async () => {
    const workspace = await newWorkspace();
    const { stdout, exitCode } = await postroom('workspace', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(workspace);
    expect(stdout).toMatch(/│ id +│ name +│ plan/);
    expect((await postroom('key', 'list', '--workspace', workspace)).stdout).toBe('none yet\n');
  });

  it('sees quarantined messages, by workspace or mailbox', async () => {
    const workspace = await newWorkspace();
    const { id } = await postroom.json('mailbox', 'connect', '--workspace', workspace, '--email', 'x@example.com');
    expect(await postroom.json('mail', 'quarantine', 'list', '--workspace', workspace)).toEqual({ items: [] });
    expect(await postroom.json('mail', 'quarantine', 'retry', '--mailbox', id)).toEqual({
      stored: 0,
      stillQuarantined: 0,
    });
  });
});

describe('a fault is one line on standard error', () => {
  it.each([
    [[], 'a command is missing'],
    [['workspace'], 'what to do with "workspace" is missing'],
    [['nonsense'], "unknown command 'nonsense'"],
    [['workspace', 'create', '--plan', 'free'], "required option '--name <name>' not specified"],
    [['workspace', 'create', '--name', 'x', '--plan', 'gold'], '--plan takes free, premium or expert, not "gold"'],
    [['workspace', 'create', '--name', ' ', '--plan', 'free'], 'name must have at least 1 character'],
    [['workspace', 'plan', '--workspace', 'w', '--plan', 'free', '--until', 'soon'], '--until takes a date such as'],
    [['workspace', 'list', '--colour'], "unknown option '--colour'"],
    [['workspace', 'list', 'all'], 'too many arguments'],
    [
      ['key', 'create', '--workspace', 'w', '--name', 'x', '--scopes', 'read,admin'],
      '--scopes takes read or write, not "admin"',
    ],
    [
      ['key', 'create', '--workspace', 'w', '--name', 'x', '--scopes', 'read', '--allow-send'],
      '--allow-send needs the write scope',
    ],
    [
      ['mailbox', 'connect', '--workspace', 'w', '--email', 'a@b.c', '--imap', 'h:1'],
      '--preset stands for the first two',
    ],
    [['mail', 'quarantine', 'list'], 'add --workspace ID or --mailbox ID'],
    [['mail', 'import', '--mailbox', 'm'], "missing required argument 'path'"],
    [
      ['mail', 'import', '--mailbox', 'm', '--folder', 'attic', 'x'],
      '--folder takes inbox, sent, drafts, spam or trash',
    ],
  ])('exit 2: %j', async (args, says) => {
    const { exitCode, stdout, stderr } = await postroom(...args);
    expect({ exitCode, stdout, lines: stderr.split('\n').length }).toEqual({ exitCode: 2, stdout: '', lines: 2 });
    expect(stderr).toContain(says);
  });

  it('exit 1 when the cap of keys is reached', async () => {
    const workspace = await newWorkspace('free');
    const create = () =>
      postroom('key', 'create', '--workspace', workspace, '--name', 'K', '--scopes', 'read', '--json');
    expect([(await create()).exitCode, (await create()).exitCode]).toEqual([0, 0]);
    expect(await create()).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^postroom: The free plan .* revoke one .*\n$/),
    });
  });

  it.each([
    [['key', 'list', '--workspace', 'wsp_no'], 'There is no workspace "wsp_no"'],
    [['mailbox', 'disconnect', '--mailbox', 'mbx_no'], 'There is no mailbox "mbx_no"'],
    [['mail', 'import', '--mailbox', 'mbx_no', 'x'], 'There is no mailbox "mbx_no"'],
  ])('exit 1: %j', async (args, says) => {
    const { exitCode, stderr } = await postroom(...args);
    expect({ exitCode, lines: stderr.split('\n').length }).toEqual({ exitCode: 1, lines: 2 });
    expect(stderr).toContain(says);
  });

  it('exit 1 where nothing answers at the address', async () => {
    const { exitCode, stderr } = await commandLine({ WORKSPACE_OPERATOR_ADDR: '127.0.0.1:1', OPERATOR_TOKEN: 'token' })(
      'workspace',
      'list',
    );
    expect({ exitCode, lines: stderr.split('\n').length }).toEqual({ exitCode: 1, lines: 2 });
    expect(stderr).toContain('does not answer');
  });
});

describe('the process itself', () => {
  const run = (cwd: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
    spawnSync(
      process.execPath,
      [
        '--conditions=@postroom/source',
        '-r',
        require.resolve('@postroom/from-source/register'),
        join(ROOT, 'services/operator/src/postroom.ts'),
        ...args,
      ],
      { cwd, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
    );

  it('says what to do where no address is known', () => {
    const { status, stderr } = run(folder, {}, 'workspace', 'list');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^postroom: .*npm start.*WORKSPACE_OPERATOR_ADDR\n$/),
    });
  });

  it('prints the help to standard output and exits 0', () => {
    const { status, stdout } = run(folder, {}, 'key', 'create', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--scopes <scopes>');
  });
});
