import { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect as connectTo } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { createServiceContext } from '@postroom/runtime/service-context';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import type { Json } from '../support/client.ts';
import { browseTo, type ConsentProvider } from '../support/consent-provider.ts';
import { consentCalls, type ConsentScene, openConsentScene } from '../support/consent-scene.ts';
import { useStack } from '../support/use-stack.ts';

const TOKEN = 'of services that log in';
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const variables: Record<string, string> = { MAILBOX_ACCESS_TOKEN: TOKEN };
let scene: ConsentScene;
beforeAll(async () => {
  scene = await openConsentScene();
  scene.imap.add(Buffer.from('From: a@b.example\r\nSubject: hello\r\n\r\nhello'), ['\\Inbox'], [], new Date(0));
  Object.assign(variables, scene.variables);
});
const stack = useStack({ beside: ['app'], variables });
let people: AppPeople;
let access: Client<typeof MailboxAccessServiceDefinition>;
let google: ConsentProvider;
beforeAll(async () => {
  const { WORKSPACE_OPERATOR_ADDR: address } = stack.addresses;
  access = connectTo(MailboxAccessServiceDefinition, address, { context, token: TOKEN });
  people = await openAppPeople(stack);
  scene.registerAt(people.origin);
  ({ google } = scene);
});
let workspaceId: string;
let owner: Awaited<ReturnType<AppPeople['joined']>>;
let calls: ReturnType<typeof consentCalls>;
beforeEach(async () => {
  scene.reset();
  ({ id: workspaceId } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'free' }, {}));
  owner = await people.joined(workspaceId, 'owner');
  calls = consentCalls(owner);
});
afterAll(async () => {
  await people.close();
  await context.lifecycle.close();
  await scene.close();
});

const read = async (path: string) => (await owner.call('GET', `${owner.workspace}${path}`)).json;
const connected = async () => {
  const event = (await calls.connect((await calls.give()).json)).at(-1);
  if (event?.type !== 'connected') throw new Error(JSON.stringify(event));
  return event.mailbox;
};
const FAILED = { status: 409, json: { code: 'CONSENT_FAILED' } };
const says = (words: RegExp) => ({ ...FAILED, json: { ...FAILED.json, error: expect.stringMatching(words) } });

describe('a mailbox that is connected by consent', () => {
  it('is asked for with the typed address, and a return address of the app for each provider', async () => {
    for (const [provider, { state }] of Object.entries({ gmail: google, microsoft365: scene.microsoft })) {
      const { searchParams } = new URL(await calls.begin({ provider, email: 'ann@gmail.test' }));
      expect([searchParams.get('redirect_uri'), searchParams.get('login_hint')]).toEqual([
        state.redirectUri,
        'ann@gmail.test',
      ]);
    }
  });

  it('tells the account and each step, syncs, sends no token to the browser, and is in the activity', async () => {
    const answer = await calls.give();
    expect(answer).toMatchObject({ status: 200, json: { email: 'ann@gmail.test', mailboxId: null } });
    const events = await calls.connect(answer.json);
    const steps = events.flatMap((event) =>
      event.type === 'step' ? [`${event.server} ${event.step} ${event.state}`] : [],
    );
    expect(steps).toEqual(expect.arrayContaining(['imap login ok', 'smtp login ok']));
    expect(JSON.stringify([answer.text, events])).not.toMatch(/canary/);
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'connected', mailbox: { email: 'ann@gmail.test', status: 'active' } });
    const id = last?.type === 'connected' ? last.mailbox.id : '';
    await eventually(async () => {
      const { sync, server } = await read(`/mailboxes/${id}`);
      expect(server).toEqual({
        imap: scene.imap.address,
        smtp: scene.smtp.address,
        user: 'ann@gmail.test',
        consentProvider: 'gmail',
      });
      expect(sync.folders).toContainEqual(expect.objectContaining({ done: 1, total: 1, isComplete: true }));
    });
    const { items } = await read('/activity?action=mailbox');
    expect(items).toMatchObject([{ action: 'mailbox.connected', targetId: id, actor: { id: owner.personId } }]);
    const stored = await Promise.all([
      stack.collections.mailboxes.find({}).lean(),
      stack.collections.mailboxConsents.find({}).lean(),
      stack.collections.auditEntries.find({}).lean(),
    ]);
    expect(JSON.stringify(stored)).not.toMatch(/canary/);
    expect(await stack.collections.mailboxConsents.countDocuments({ workspaceId })).toBe(0);
  });

  it('gets further tokens with the secret of the client, which the mailbox does not keep', async () => {
    const { id: mailboxId } = await connected();
    const first = await access.getMailboxAccess({ workspaceId, mailboxId }, {});
    const ask = { workspaceId, mailboxId, refusedTokenEpoch: first.tokenEpoch };
    const next = await access.getMailboxAccess(ask, {});
    expect(google.opens('ann@gmail.test', next.accessToken ?? '')).toBe(true);
    expect([next.accessToken === first.accessToken, next.user]).toEqual([false, 'ann@gmail.test']);
  });

  it('409 CONFLICT when the address is connected already, and says to reconnect it', async () => {
    await connected();
    google.state.account = 'ANN@gmail.test';
    expect(await calls.give()).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT', error: expect.stringMatching(/ann@gmail\.test is connected already.*Reconnect/) },
    });
  });

  it('is connected by one of two calls at once', async () => {
    const { json } = await calls.give();
    const [one, other] = await Promise.all([calls.connect(json), calls.connect(json)]);
    expect(new Set([one.at(-1)?.type, other.at(-1)?.type])).toEqual(new Set(['connected', 'refused']));
    expect((await read('/mailboxes')).items).toHaveLength(1);
  });
});

describe('a consent that gives no mailbox says what to do next', () => {
  const again = /Nothing is connected.*start again/;

  it('when the person, or the provider, refuses it', async () => {
    google.state.refusal = 'access_denied';
    expect(await calls.give()).toMatchObject(says(/Google was not given the consent.*start again and allow/));
    google.state.refusal = 'invalid_scope';
    expect(await calls.give()).toMatchObject(says(/Google refused the request \(invalid_scope\)/));
    google.state.refusal = '<img src=x> a very strange code of an error';
    expect(await calls.give()).toMatchObject(says(/Google refused the request\. /));
    expect(google.state.tokenRequests).toBe(0);
  });

  it.each<[string, object, RegExp]>([
    ['refresh token', { refresh_token: undefined }, /lasting access.*remove this app.*start again/],
    ['scope for mail', { scope: 'https://www.googleapis.com/auth/userinfo.email' }, /access to mail was not allowed/],
    ['id token', { id_token: undefined }, /did not say which address/],
  ])('when the provider gives no %s', async (_what, change, words) => {
    google.state.change = (answer) => ({ ...answer, ...change });
    expect(await calls.give()).toMatchObject(says(words));
    expect(await stack.collections.mailboxConsents.countDocuments({ workspaceId, credentials: { $ne: null } })).toBe(0);
  });

  it.each<[string, (consent: ConsentProvider['state']) => void, RegExp]>([
    ['refuses the client', (state) => (state.secret = 'another'), /invalid_client.*tell an operator/],
    ['fails', (state) => (state.answer = (response) => response.writeHead(503).end()), /answered 503.*in a minute/],
  ])('when the token endpoint %s', async (_what, change, words) => {
    change(google.state);
    expect(await calls.give()).toMatchObject(says(words));
  });

  it('when the mail server refuses the account, and the same consent can be tried again', async () => {
    scene.smtp.opens = () => false;
    const { json } = await calls.give();
    const events = await calls.connect(json);
    expect(events).toContainEqual(
      expect.objectContaining({
        server: 'smtp',
        step: 'login',
        state: 'failed',
        message: expect.stringMatching(/refused this account/),
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'refused', code: 'LOGIN_FAILED', error: expect.stringMatching(again) });
    expect((await read('/mailboxes')).items).toEqual([]);
    scene.smtp.opens = scene.opens;
    expect((await calls.connect(json)).at(-1)?.type).toBe('connected');
  });

  it('when nothing is configured for the provider', async () => {
    expect(await calls.call('', { provider: 'yahoo' })).toMatchObject({ status: 400 });
    const offers = (await owner.call('GET', '/providers')).json.items.map(({ id, consent }: Json) => [id, consent]);
    expect(Object.fromEntries(offers)).toMatchObject({
      gmail: { name: 'Google', isConfigured: true },
      microsoft365: { name: 'Microsoft', isConfigured: true },
      icloud: null,
    });
  });
});

describe('an attacker', () => {
  const refused = says(/took too long, was used already, or began in another session or workspace.*start again/);

  it('gains nothing by an answer that is sent a second time, or from another session, workspace or provider', async () => {
    const query = await browseTo(await calls.begin());
    const admin = await people.joined(workspaceId, 'admin');
    const { id: other } = await stack.workspaces.createWorkspace({ name: 'Other', plan: 'free' }, {});
    await people.operators
      .invitePerson({ workspaceId: other, email: owner.email, role: 'owner' }, {})
      .then(({ token }) => owner.call('POST', '/invitations/accept', { body: { token } }));
    const elsewhere = { ...owner, workspace: `/workspaces/${other}` };
    for (const refusal of [
      await consentCalls(admin).finish(query),
      await consentCalls(elsewhere).finish(query),
      await calls.finish(query, 'microsoft365'),
      await calls.finish(query.replace(/state=\w+/, 'state=state_unknown')),
      await calls.finish('?error=access_denied'),
      await calls.finish(''),
    ])
      expect(refusal).toMatchObject(refused);
    expect([google.state.tokenRequests, scene.microsoft.state.tokenRequests]).toEqual([0, 0]);
    const finished = await calls.finish(query);
    expect(finished.status).toBe(200);
    expect(await calls.finish(query)).toMatchObject(refused);
    for (const person of [admin, elsewhere])
      expect((await consentCalls(person).connect(finished.json)).at(-1)).toMatchObject({
        type: 'refused',
        code: 'CONSENT_FAILED',
      });
    expect((await calls.connect(finished.json)).at(-1)?.type).toBe('connected');
    expect((await calls.connect(finished.json)).at(-1)).toMatchObject({ type: 'refused', code: 'CONSENT_FAILED' });
  });

  it('cannot put the code of another person under a state of their own, because of PKCE', async () => {
    const code = new URLSearchParams(await browseTo(await calls.begin())).get('code') ?? '';
    const attacker = await people.joined(workspaceId, 'admin');
    const mine = new URL(await consentCalls(attacker).begin()).searchParams.get('state') ?? '';
    expect(await consentCalls(attacker).finish(`?code=${code}&state=${mine}`)).toMatchObject(
      says(/no longer accepts this consent/),
    );
    expect(await consentCalls(attacker).finish(`?state=${mine}`)).toMatchObject(refused);
  });

  it('finds no consent after ten minutes, nor an earlier one of the session', async () => {
    const [first, second] = [await calls.begin(), await calls.begin()];
    expect(await calls.finish(await browseTo(first))).toMatchObject(refused);
    await stack.collections.mailboxConsents.updateMany({ workspaceId }, { $set: { expiresAt: new Date() } });
    expect(await calls.finish(await browseTo(second))).toMatchObject(refused);
    expect(google.state.tokenRequests).toBe(0);
  });

  it('403 ROLE_NOT_ALLOWED for a member, also in the middle of a consent', async () => {
    const admin = await people.joined(workspaceId, 'admin');
    const query = await browseTo(await consentCalls(admin).begin());
    await owner.call('PATCH', `${owner.workspace}/members/${admin.personId}`, { body: { role: 'member' } });
    expect(await consentCalls(admin).finish(query)).toMatchObject({ status: 403, json: { code: 'ROLE_NOT_ALLOWED' } });
    expect(google.state.tokenRequests).toBe(0);
  });
});

describe('a mailbox that is connected again', () => {
  const reconnect = (mailboxId: string) => calls.begin({ mailboxId });

  it('is revived by its own account at the servers of the provider, after its grant was revoked', async () => {
    const { id: mailboxId } = await connected();
    const elsewhere = { 'server.smtpAddress': '127.0.0.1:1', 'server.user': 'another' };
    await stack.collections.mailboxes.updateOne({ _id: mailboxId }, { $set: elsewhere });
    google.revoke();
    const { tokenEpoch } = await access.getMailboxAccess({ workspaceId, mailboxId }, {});
    const gone = access.getMailboxAccess({ workspaceId, mailboxId, refusedTokenEpoch: tokenEpoch }, {});
    await expect(gone).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
    const { json } = await calls.finish(await browseTo(await reconnect(mailboxId)));
    expect(json).toMatchObject({ email: 'ann@gmail.test', mailboxId });
    expect((await calls.connect({ ...json, mailboxId: null })).at(-1)).toMatchObject({ type: 'refused' });
    const last = (await calls.connect(json)).at(-1);
    expect(last).toMatchObject({ type: 'connected', mailbox: { id: mailboxId, status: 'active' } });
    const { items } = await read('/activity?action=mailbox.reconnected');
    expect(items).toMatchObject([{ targetId: mailboxId, actor: { id: owner.personId } }]);
    const next = await access.getMailboxAccess({ workspaceId, mailboxId }, {});
    expect(google.opens('ann@gmail.test', next.accessToken ?? '')).toBe(true);
    expect(next).toMatchObject({ smtpAddress: scene.smtp.address, user: 'ann@gmail.test' });
  });

  it('refuses another account, and keeps its own', async () => {
    const { id: mailboxId } = await connected();
    const url = await reconnect(mailboxId);
    google.state.account = 'mallory@gmail.test';
    expect(await calls.finish(await browseTo(url))).toMatchObject(
      says(
        /consent is for mallory@gmail\.test, and this mailbox is ann@gmail\.test.*choose the account ann@gmail\.test/,
      ),
    );
    const { accessToken = '' } = await access.getMailboxAccess({ workspaceId, mailboxId }, {});
    expect(google.opens('ann@gmail.test', accessToken)).toBe(true);
  });

  it('404 MAILBOX_NOT_FOUND for one of another workspace, and 400 for one of another server', async () => {
    const { id: mailboxId } = await connected();
    const other = await stack.workspace();
    const foreign = await other.connectMailbox();
    for (const id of [foreign.id, 'mbx_unknown'])
      expect(await calls.call('', { provider: 'gmail', mailboxId: id })).toMatchObject({
        status: 404,
        json: { code: 'MAILBOX_NOT_FOUND' },
      });
    expect(await calls.call('', { provider: 'microsoft365', mailboxId })).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_FAILED', details: { mailboxId: [expect.stringMatching(/another server/)] } },
    });
  });
});
