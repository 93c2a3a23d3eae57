import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAtLeast, ROLES, type Role } from '@postroom/contract/roles';
import { appRoutes } from '../../services/app/src/routes/table.ts';
import { eventually } from '../engines/eventually.ts';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { openWaitingApproval, storeGrant } from '../support/agents.ts';
import type { Json } from '../support/client.ts';
import { useStack } from '../support/use-stack.ts';
import { goodBodies } from './good-bodies.ts';

const stack = useStack({ beside: ['app'] });
let people: AppPeople;
let ours: Scene;
let theirs: Scene;
beforeAll(async () => {
  people = await openAppPeople(stack);
  [ours, theirs] = [await scene('Secret of ours'), await scene('Secret of theirs')];
});
afterAll(() => people.close());

type Scene = Awaited<ReturnType<typeof scene>>;

/** A workspace with one of everything that a path can name, and a person of each role. */
async function scene(secret: string) {
  const workspace = await stack.workspace();
  const { id } = workspace;
  const [owner, admin, member] = [
    await people.joined(id, 'owner'),
    await people.joined(id, 'admin'),
    await people.joined(id, 'member'),
  ];
  const create = async (path: string, body: object): Promise<Json> => {
    const { status, json } = await owner.call('POST', `${owner.workspace}${path}`, { body });
    if (status !== 201) throw new Error(`${path} answered ${status}`);
    return json;
  };
  const mailbox = await stack.workspaces.connectMailbox(
    {
      workspaceId: id,
      email: `${secret.toLowerCase().replaceAll(' ', '.')}@acme.example`,
      aliases: [],
      withoutTrash: false,
    },
    {},
  );
  const ids: Record<string, string> = {
    mailboxId: mailbox.id,
    emailId: (await workspace.ingest(mailbox.id, [{ subject: secret, text: secret }]))[0] ?? '',
    keyId: (await create('/keys', { name: secret, scopes: ['read'] })).key.id,
    viewId: (await create('/views', { name: secret })).view.id,
    aiRuleId: (await create('/ai-label-rules', { name: secret, color: 'Red', condition: secret })).rule.id,
    forwardRuleId: (
      await create('/auto-forward-rules', {
        conditionField: 'subject_contains',
        conditionValue: secret,
        forwardTo: 'a@b.example',
      })
    ).rule.id,
    webhookId: (await create('/webhooks', { url: 'https://hooks.example.com/postroom', description: secret })).webhook
      .id,
    deliveryId: 'dlv_unknown',
    filterId: (await create('/inbox-filters', { type: 'subject', value: secret })).filter.id,
    invitationId: (await create('/invitations', { email: 'guest@secret.example', role: 'member' })).invitation.id,
    personId: member.personId,
    grantId: await storeGrant(stack, id, owner.personId),
    approvalId: await openWaitingApproval(stack, id, mailbox.id, { subject: secret, personId: owner.personId }),
    draftId: (await stack.collections.emails.findOne({ workspaceId: id, isDraft: true }).lean())?._id ?? '',
    sessionId: (await member.call('GET', '/account/sessions')).json.items[0].id,
  };
  return { id, secret, people: { owner, admin, member }, ids };
}

const PREFIX = '/workspaces/{workspaceId}';
const named = appRoutes.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));
const ofRoles = named.filter((route): route is typeof route & { needs: Role } =>
  ROLES.some((role) => role === route.needs),
);
const bodyOf = ({ method, path }: { method: string; path: string }) =>
  goodBodies[`${method} ${path.replace(PREFIX, '')}`];

/** The path with ids of this scene, in the workspace of that one. */
function pathIn(path: string, { ids }: Scene, workspaceId: string): string {
  const ruleId = path.includes('auto-forward') ? ids['forwardRuleId'] : ids['aiRuleId'];
  const all: Record<string, string | undefined> = { ...ids, ruleId, workspaceId };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? 'unknown');
}

const requestOf = (route: (typeof named)[number]) => ({ body: bodyOf(route) });

describe('a visitor who is not signed in', () => {
  it.each(named.filter(({ needs }) => needs !== 'anyone'))('401 SIGN_IN_REQUIRED: $name', async (route) => {
    const answer = await people.browser().call(route.method, pathIn(route.path, ours, ours.id), requestOf(route));
    expect(answer).toMatchObject({ status: 401, json: { code: 'SIGN_IN_REQUIRED' } });
  });
});

describe('a foreign page', () => {
  const headersOf = {
    'with a foreign Origin': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'with a foreign Origin alone': { origin: 'https://evil.example', 'sec-fetch-site': undefined },
    'with the Origin null': { origin: 'null', 'sec-fetch-site': undefined },
    'of the same site': { origin: undefined, 'sec-fetch-site': 'same-site' },
  };
  const refused = { status: 403, json: { code: 'FOREIGN_ORIGIN' } };

  it.each(named)('403 FOREIGN_ORIGIN: $name', async (route) => {
    for (const headers of Object.values(headersOf)) {
      const { owner } = ours.people;
      const answer = await owner.call(route.method, pathIn(route.path, ours, ours.id), {
        ...requestOf(route),
        headers,
      });
      expect(answer).toMatchObject(refused);
    }
  });

  it.each(named.filter(({ method }) => method !== 'GET'))('403 FOREIGN_ORIGIN without Origin: $name', async (route) => {
    const headers = { origin: undefined, 'sec-fetch-site': undefined };
    const { owner } = ours.people;
    const answer = await owner.call(route.method, pathIn(route.path, ours, ours.id), { ...requestOf(route), headers });
    expect(answer).toMatchObject(refused);
  });
});

describe('a role', () => {
  const cases = ofRoles.flatMap((route) =>
    ROLES.filter((role) => !isAtLeast(role, route.needs)).map((role) => ({ ...route, role })),
  );

  it.each(cases)('403 ROLE_NOT_ALLOWED for a $role: $name', async ({ role, ...route }) => {
    const answer = await ours.people[role].call(route.method, pathIn(route.path, ours, ours.id), requestOf(route));
    expect(answer).toMatchObject({ status: 403, json: { code: 'ROLE_NOT_ALLOWED' } });
    expect(answer.text).not.toContain(ours.secret);
  });

  it('403 ROLE_NOT_ALLOWED when an admin makes themselves an owner, or invites one', async () => {
    const { admin } = ours.people;
    const promoted = await admin.call('PATCH', `${admin.workspace}/members/${admin.personId}`, {
      body: { role: 'owner' },
    });
    expect(promoted).toMatchObject({ status: 403, json: { code: 'ROLE_NOT_ALLOWED' } });
    const body = { email: 'second@acme.example', role: 'owner' };
    expect((await admin.call('POST', `${admin.workspace}/invitations`, { body })).status).toBe(403);
  });

  it('403 ROLE_NOT_ALLOWED when a member removes somebody else', async () => {
    const { member, admin } = ours.people;
    expect((await member.call('DELETE', `${member.workspace}/members/${admin.personId}`)).status).toBe(403);
  });
});

describe('a stranger', () => {
  it.each(ofRoles)('404 NOT_FOUND in the workspace of others: $name', async (route) => {
    const { owner } = ours.people;
    const answer = await owner.call(route.method, pathIn(route.path, theirs, theirs.id), requestOf(route));
    expect(answer).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    const unknown = await owner.call(route.method, pathIn(route.path, theirs, 'wsp_unknown'), requestOf(route));
    expect([unknown.status, unknown.text]).toEqual([answer.status, answer.text]);
  });

  const withIds = named.filter(({ path }) => /\{(?!workspaceId)/.test(path));
  it.each(withIds)('finds nothing by an id of others in their own workspace: $name', async (route) => {
    const { owner } = ours.people;
    const answer = await owner.call(route.method, pathIn(route.path, theirs, ours.id), requestOf(route));
    // Ending a session and deleting a passkey succeed for ids that are nobody's, too.
    expect(answer.status).toBe(route.path.startsWith('/account/') ? 204 : 404);
    expect(answer.text).not.toContain(theirs.secret);
  });

  it('changes no email of others, alone or beside their own', async () => {
    const { owner } = ours.people;
    const emailIds = [ours.ids['emailId'], theirs.ids['emailId']];
    for (const change of [
      { action: 'markRead', isRead: true },
      { action: 'markRead', isRead: false },
    ]) {
      const answer = await owner.call('POST', `${owner.workspace}/emails/bulk`, { body: { ...change, emailIds } });
      expect(answer.json).toMatchObject({ updatedIds: [emailIds[0]], skippedIds: [emailIds[1]] });
    }
    const listed = await owner.call('GET', `${owner.workspace}/emails?mailboxId=${theirs.ids['mailboxId']}`);
    expect(listed.json.items).toEqual([]);
    const viewed = await owner.call('GET', `${owner.workspace}/emails?viewId=${theirs.ids['viewId']}`);
    expect(viewed).toMatchObject({ status: 404, json: { code: 'VIEW_NOT_FOUND' } });
  });

  it('has changed nothing by all of this', async () => {
    const { owner } = theirs.people;
    const read = async (path: string) => (await owner.call('GET', `${owner.workspace}${path}`)).json;
    expect((await read(`/mailboxes/${theirs.ids['mailboxId']}`)).mailbox.status).toBe('active');
    expect((await read('/emails?filtered=only')).items).toMatchObject([
      { id: theirs.ids['emailId'], isRead: false, isStarred: false },
    ]);
    const { items: keys } = await read('/keys');
    expect(keys.find(({ id }: { id: string }) => id === theirs.ids['keyId'])).toMatchObject({ status: 'active' });
    for (const path of [
      '/views',
      '/inbox-filters',
      '/ai-label-rules',
      '/auto-forward-rules',
      '/invitations',
      '/webhooks',
    ])
      expect((await read(path)).items).toHaveLength(1);
    expect((await read('/members')).items).toHaveLength(3);
    expect((await read('/approvals')).items).toMatchObject([{ id: theirs.ids['approvalId'] }]);
    expect(await read('/grants')).toMatchObject({
      items: [{ id: theirs.ids['grantId'] }],
      sending: { isStopped: false },
    });
    expect((await theirs.people.member.call('GET', '/session')).json.person).not.toBeNull();
  });
});

describe('an approval', () => {
  const refused = { status: 403, json: { code: 'OUTBOUND_SEND_NOT_ALLOWED', error: expect.stringMatching(/revoked/) } };

  /** A message of a client of the admin that waits, and a call of the owner about it. */
  async function waiting(clientName: string) {
    const { owner, admin } = ours.people;
    const grantId = await storeGrant(stack, ours.id, admin.personId, clientName);
    const asked = { subject: clientName, personId: admin.personId, grantId };
    const id = await openWaitingApproval(stack, ours.id, ours.ids['mailboxId'] ?? '', asked);
    const decide = (verb: string) => owner.call('POST', `${owner.workspace}/approvals/${id}/${verb}`);
    return { grantId, decide };
  }

  it('403 OUTBOUND_SEND_NOT_ALLOWED when its client was revoked meanwhile; it can be refused', async () => {
    const { admin } = ours.people;
    const { grantId, decide } = await waiting('Revoked');
    expect((await admin.call('DELETE', `${admin.workspace}/grants/${grantId}`)).status).toBe(204);
    expect(await decide('approve')).toMatchObject(refused);
    expect((await decide('refuse')).status).toBe(200);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED when the person of its client left, or left and came back', async () => {
    const { owner, admin } = ours.people;
    const { decide } = await waiting('Of somebody who left');
    const where = { _id: ours.id, workspaceId: ours.id };
    const before = await stack.collections.workspaceMembers.findOne(where).lean();
    expect((await owner.call('DELETE', `${owner.workspace}/members/${admin.personId}`)).status).toBe(204);
    expect(await decide('approve')).toMatchObject(refused);
    const members = (before?.members ?? []).map((one) => ({ ...one, joinedAt: new Date() }));
    await stack.collections.workspaceMembers.updateOne(where, { $set: { members, personIds: before?.personIds } });
    expect(await decide('approve')).toMatchObject(refused);
  });

  it('shows the names of recipients, and warns of characters in them that nobody sees', async () => {
    const { owner } = ours.people;
    const open = async (name: string) => {
      const asked = { subject: 'Tuesday', personId: owner.personId, name };
      const id = await openWaitingApproval(stack, ours.id, ours.ids['mailboxId'] ?? '', asked);
      return (await owner.call('GET', `${owner.workspace}/approvals/${id}`)).json;
    };
    const to = ['bob@other.example (named “Pay 500 now”)'];
    expect(await open('Pay 500 now')).toMatchObject({ to, hidesText: false });
    expect(await open('Pay \u200b500 now')).toMatchObject({ hidesText: true });
  });

  it('is given once, and not taken back from a page that is out of date', async () => {
    const { decide } = await waiting('Trusted');
    expect((await decide('approve')).status).toBe(202);
    expect((await decide('approve')).status).toBe(202);
    expect(await decide('refuse')).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
    expect(
      await stack.collections.sends.countDocuments({
        workspaceId: ours.id,
        'agent.name': 'Helper',
        state: { $ne: 'awaiting_approval' },
        'approval.decision': 'approved',
      }),
    ).toBe(1);
  });
});

it('429 RATE_LIMIT_EXCEEDED for a fifth login that hangs, and for no other workspace', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const connect = ({ people: { owner } }: Scene, server: string) => {
    const body = { email: 'new@acme.example', password: 'none', imap: server, smtp: server };
    return owner.call('POST', `${owner.workspace}/mailboxes`, { body });
  };
  const held = [0, 1, 2, 3].map(() => connect(ours, address));
  // Each is at the server for IMAP and at the one for SMTP.
  await eventually(() => expect(sockets.size).toBe(8));
  expect(await connect(ours, address)).toMatchObject({ status: 429, json: { code: 'RATE_LIMIT_EXCEEDED' } });
  expect((await connect(theirs, '127.0.0.1:1')).status).toBe(200);
  silent.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all(held);
  expect((await connect(ours, '127.0.0.1:1')).status).toBe(200);
});

it('has a good body for each call that takes one', () => {
  const missing = named.filter((route) => route.body && bodyOf(route) === undefined).map(({ name }) => name);
  expect(missing).toEqual([]);
});
