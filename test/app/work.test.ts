import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConnectEvent, DecisionAnswer, KeyAnswer } from '@postroom/app/answers';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { eventually } from '../engines/eventually.ts';
import { type Gmail, openGmail } from '../support/gmail.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { storeGivenUpMail } from '../support/given-up-mail.ts';
import { describeMail } from './mail-work.ts';
import { openWaitingApproval, storeGrant } from '../support/agents.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack({ beside: ['app'] });
let people: AppPeople;
let owner: Awaited<ReturnType<AppPeople['joined']>>;
let workspaceId: string;
beforeAll(async () => void (people = await openAppPeople(stack)));
beforeEach(async () => {
  ({ id: workspaceId } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {}));
  owner = await people.joined(workspaceId, 'owner');
});
afterAll(() => people.close());

const read = async (path: string) => (await owner.call('GET', `${owner.workspace}${path}`)).json;
const post = (path: string, body: object = {}) => owner.call('POST', `${owner.workspace}${path}`, { body });

describe('keys', () => {
  const keyBody = { name: 'ci', scopes: ['read'], allowOutboundSend: false };

  it('are made with a secret that opens the API, show their use, and open nothing once revoked', async () => {
    const { status, json } = await post('/keys', keyBody);
    expect(status).toBe(201);
    expect((await stack.client(json.secret).get('/mailboxes')).status).toBe(200);
    await eventually(async () => {
      const [key] = (await read('/keys')).items as KeyAnswer[];
      expect(key).toMatchObject({ id: json.key.id, status: 'active', calls24h: 1, lastAddress: '127.0.0.1' });
    });
    expect((await post(`/keys/${json.key.id}/revoke`)).json.key.status).toBe('revoked');
    await eventually(async () => expect((await stack.client(json.secret).get('/mailboxes')).status).toBe(401));
    expect(JSON.stringify(await read('/keys'))).not.toContain(json.secret);
  });

  it('409 CONFLICT when the plan allows no more, and the list says how many it allows', async () => {
    for (let made = 0; made < 2; made += 1) expect((await post('/keys', keyBody)).status).toBe(201);
    expect(await read('/keys')).toMatchObject({ activeCount: 2, cap: 2 });
    expect(await post('/keys', keyBody)).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
  });

  it('400 VALIDATION_FAILED names the field', async () => {
    const { status, json } = await post('/keys', { name: '', scopes: [] });
    expect([status, json.code, Object.keys(json.details)]).toEqual([400, 'VALIDATION_FAILED', ['name', 'scopes']]);
  });
});

describe('connecting a mailbox', () => {
  let gmail: Gmail;
  let sink: MailSink;
  beforeAll(async () => {
    [gmail, sink] = await Promise.all([openGmail(), openMailSink({ hasLogins: true })]);
    sink.password = 'right';
    gmail.add(Buffer.from('From: a@b.example\r\nSubject: hello\r\n\r\nhello'), ['\\Inbox'], [], new Date(0));
  });
  afterAll(async () => {
    await Promise.all([gmail.close(), sink.close()]);
  });

  const connect = async (password: string, imap = gmail.address) => {
    const body = { email: 'ann@gmail.test', imap, smtp: sink.address, password };
    const { headers, text } = await post('/mailboxes', body);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ConnectEvent);
  };
  const steps = (events: ConnectEvent[], server: string) =>
    events.flatMap((event) =>
      event.type === 'step' && event.server === server && event.state !== 'running'
        ? [`${event.step} ${event.state}`]
        : [],
    );

  it('tells each step, and connects nothing when the password is wrong', async () => {
    const events = await connect('wrong');
    expect(steps(events, 'imap')).toEqual(['dns ok', 'tcp ok', 'tls ok', 'login ok']);
    expect(steps(events, 'smtp')).toEqual(['dns ok', 'tcp ok', 'tls ok', 'login failed']);
    expect(events.at(-1)).toMatchObject({ type: 'refused', code: 'LOGIN_FAILED' });
    expect((await read('/mailboxes')).items).toEqual([]);
  });

  it('tells that nobody answers at a port', async () => {
    expect(steps(await connect('right', '127.0.0.1:1'), 'imap')).toEqual(['dns ok', 'tcp failed']);
  });

  it('connects, and shows the first sync until its mail is counted; members do not see the server', async () => {
    const events = await connect('right');
    const connected = events.at(-1);
    expect(connected).toMatchObject({ type: 'connected', mailbox: { email: 'ann@gmail.test', status: 'active' } });
    const path = `/mailboxes/${connected?.type === 'connected' ? connected.mailbox.id : ''}`;
    await eventually(async () => {
      const { sync, server } = await read(path);
      expect(server).toMatchObject({ imap: gmail.address, smtp: sink.address, user: 'ann@gmail.test' });
      expect(sync.folders).toContainEqual(expect.objectContaining({ done: 1, total: 1, isComplete: true }));
    });
    expect(
      await post('/mailboxes', { email: 'ANN@gmail.test', imap: 'h:993', smtp: 'h:465', password: 'x' }),
    ).toMatchObject({
      status: 409,
    });
    const member = await people.joined(workspaceId, 'member');
    expect((await member.call('GET', `${member.workspace}${path}`)).json.server).toBeNull();
    expect((await post(`${path}/disconnect`)).json.mailbox.status).toBe('disconnected');
    expect((await read('/home')).mailboxes.failing).toMatchObject([
      { email: 'ann@gmail.test', status: 'disconnected' },
    ]);
    const again = await owner.call('POST', `${owner.workspace}${path}/reconnect`, { body: { password: 'wrong' } });
    expect(again.text).toContain('"refused"');
    expect((await post(`${path}/reconnect`)).text).toContain('"connected"');
    await post(`${path}/disconnect`);
  });
});

describeMail(stack, () => people);

describe('decisions of a rule', () => {
  it('stand with reason and confidence beside their email, in pages, newest first', async () => {
    const workspace = await stack.workspace();
    const boss = await people.joined(workspace.id, 'owner');
    const path = `${boss.workspace}/ai-label-rules`;
    const body = { name: 'To pay', color: 'Red', condition: 'The email is an invoice or a payment reminder' };
    const { rule } = (await boss.call('POST', path, { body })).json;
    const mailbox = await workspace.connectMailbox();
    await workspace.ingest(mailbox.id, [{ subject: 'Invoice 1' }, { subject: 'Lunch?' }, { subject: 'Invoice 2' }]);
    const decisions = async (query = '') => (await boss.call('GET', `${path}/${rule.id}/decisions${query}`)).json;
    await eventually(async () => expect((await decisions()).items).toHaveLength(3));
    const all = (await decisions()).items as DecisionAnswer[];
    expect(all[0]).toMatchObject({
      mailboxId: mailbox.id,
      email: { subject: expect.any(String), from: expect.anything() },
      applies: expect.any(Boolean),
      confidence: expect.any(Number),
      reason: expect.any(String),
      isBackfill: false,
    });
    const first = await decisions('?limit=2');
    const second = await decisions(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(all);
    expect([first.hasMore, second.hasMore, second.nextCursor]).toEqual([true, false, null]);
    const foreign = await owner.call('GET', `${owner.workspace}/ai-label-rules/${rule.id}/decisions`);
    expect(foreign).toMatchObject({ status: 404, json: { code: 'RULE_NOT_FOUND' } });
  });
});

describe('usage', () => {
  it('shows calls by day, key and endpoint against the plan; members see no name of a key', async () => {
    const { json } = await post('/keys', { name: 'reporting', scopes: ['read'] });
    await stack.client(json.secret).get('/labels');
    const day = new Date().toISOString().slice(0, 10);
    const query = `/usage?from=${day}&to=${day}`;
    await eventually(async () => {
      const usage = await read(query);
      expect(usage).toMatchObject({
        limits: { plan: 'free', minute: { limit: 60 }, month: { limit: 10_000 } },
        byKey: [{ day, keyId: json.key.id, keyName: 'reporting', calls: 1 }],
        byEndpoint: [{ day, endpoint: 'GET /labels', calls: 1 }],
      });
    });
    const member = await people.joined(workspaceId, 'member');
    const theirs = await member.call('GET', `${member.workspace}${query}`);
    expect(theirs.json.byKey).toMatchObject([{ keyName: null, calls: 1 }]);
    expect((await owner.call('GET', `${owner.workspace}/usage?from=x&to=${day}`)).json.details).toHaveProperty('from');
  });
});

describe('activity', () => {
  it('tells who made a key, as JSON with filters and as CSV without formulas; members do not see it', async () => {
    await owner.call('PATCH', '/account', { body: { name: '=HYPERLINK("https://evil.example")' } });
    const { json } = await post('/keys', { name: 'ci, "the" key', scopes: ['read'] });
    await eventually(async () => {
      const { items } = await read('/activity?action=key');
      expect(items).toMatchObject([
        {
          actor: {
            kind: 'person',
            id: owner.personId,
            name: '=HYPERLINK("https://evil.example")',
            address: '127.0.0.1',
          },
          action: 'key.created',
          targetId: json.key.id,
          outcome: 'done',
        },
      ]);
    });
    expect((await read('/activity?actorKind=key')).items).toEqual([]);
    const { headers, text } = await owner.call('GET', `${owner.workspace}/activity.csv?action=key`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="activity.csv"');
    const [head, line, end] = text.split('\r\n');
    expect(head).toMatch(/^at,actor kind,actor,/);
    expect(line).toContain(`person,"'=HYPERLINK(""https://evil.example"")",${owner.personId},127.0.0.1,key.created,`);
    expect(end).toBe('');
    const member = await people.joined(workspaceId, 'member');
    expect((await member.call('GET', `${member.workspace}/activity.csv`)).status).toBe(403);
  });
});

describe('agents', () => {
  const open = async (personId: string, body: { text?: string; html?: string }) => {
    const mailbox = { workspaceId, email: `${workspaceId.slice(-6).toLowerCase()}@acme.example`, aliases: [] };
    const { id } = await stack.workspaces.connectMailbox({ ...mailbox, withoutTrash: false }, {});
    return openWaitingApproval(stack, workspaceId, id, { subject: 'Tuesday', personId, body });
  };

  it('wait for a person, who sees the whole message with what its readers do not see', async () => {
    const html = '<p>Tue&shy;sday?</p><p style="display:none">the secret</p>';
    const id = await open(owner.personId, { html });
    const [listed] = (await read('/approvals')).items;
    expect(listed).toMatchObject({ id, to: ['bob@other.example'], subject: 'Tuesday', client: { name: 'Helper' } });
    expect(listed).not.toHaveProperty('html');
    const whole = await read(`/approvals/${id}`);
    expect(whole).toEqual({ ...listed, text: 'Tuesday?', html, readableHtml: 'Tuesday?', hidesText: true });
    expect((await read('/home')).approvals).toEqual({ waiting: 1 });
    const admin = await people.joined(workspaceId, 'member');
    expect((await admin.call('GET', `${admin.workspace}/approvals`)).json.items).toEqual([]);
    expect((await admin.call('POST', `${admin.workspace}/approvals/${id}/approve`)).status).toBe(404);
  });

  it('get a decision once, which is in the activity', async () => {
    const id = await open(owner.personId, { text: 'Is Tuesday fine?' });
    expect(await read(`/approvals/${id}`)).toMatchObject({
      text: 'Is Tuesday fine?\n',
      html: null,
      hidesText: false,
    });
    const { status, json } = await post(`/approvals/${id}/refuse`);
    expect([status, json.draftId]).toEqual([200, expect.any(String)]);
    expect(await post(`/approvals/${id}/approve`)).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
    expect((await read('/approvals')).items).toEqual([]);
    const told = (await read('/activity?action=approval.refused')).items;
    expect(told).toMatchObject([{ actor: { kind: 'person', id: owner.personId }, targetId: json.draftId }]);
  });

  it('are listed with their level, use and sends of today, are revoked, and are stopped all at once', async () => {
    const grantId = await storeGrant(stack, workspaceId, owner.personId);
    await stack.collections.keyUses.create({
      _id: grantId,
      workspaceId,
      last: { at: new Date('2026-06-01T00:00:00Z'), address: '192.0.2.1' },
    });
    expect(await read('/grants')).toEqual({
      items: [
        expect.objectContaining({
          id: grantId,
          clientName: 'Helper',
          clientHost: 'client.example',
          level: 'approve',
          lastUsedAt: '2026-06-01T00:00:00.000Z',
          sendsToday: 0,
        }),
      ],
      sending: { isStopped: false, stoppedAt: null, stoppedBy: null, sendsPerDay: 200 },
    });
    const put = (isStopped: boolean) => owner.call('PUT', `${owner.workspace}/agent-sending`, { body: { isStopped } });
    const stopped = { isStopped: true, stoppedBy: owner.email, stoppedAt: expect.any(String) };
    expect((await put(true)).json.sending).toMatchObject(stopped);
    expect((await read('/grants')).sending).toMatchObject(stopped);
    expect((await put(false)).json.sending).toMatchObject({ isStopped: false });
    expect((await owner.call('DELETE', `${owner.workspace}/grants/${grantId}`)).status).toBe(204);
    expect((await read('/grants')).items).toEqual([]);
  });
});

describe('home', () => {
  it('shows what needs attention, and webhooks to owners and admins alone', async () => {
    await post('/webhooks', { url: 'https://hooks.example.com/postroom' });
    expect(await read('/home')).toEqual({
      mailboxes: { total: 0, failing: [], lagSeconds: null },
      replies: { waiting: 0, drafts: 0 },
      quarantined: { messages: 0, emails: 0 },
      deadLetters: 0,
      approvals: { waiting: 0 },
      webhooks: { total: 1, failing: [] },
      limits: expect.objectContaining({ plan: 'free' }),
      backfills: { running: 0 },
    });
    const member = await people.joined(workspaceId, 'member');
    const home = () => member.call('GET', `${member.workspace}/home`);
    expect((await home()).json.webhooks).toBeNull();
    await owner.call('DELETE', `${owner.workspace}/members/${member.personId}`);
    expect(await home()).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });

  it('counts the mail of its own workspace that was given up, and reads again after a change', async () => {
    const other = await stack.workspaces.createWorkspace({ name: 'Other', plan: 'free' }, {});
    expect((await read('/home')).quarantined).toEqual({ messages: 0, emails: 0 });
    await Promise.all([workspaceId, other.id].map((id) => storeGivenUpMail(stack, id)));
    await post('/webhooks', { url: 'https://hooks.example.com/postroom' });
    expect(await read('/home')).toMatchObject({ quarantined: { messages: 1, emails: 2 }, deadLetters: 1 });
  });
});
