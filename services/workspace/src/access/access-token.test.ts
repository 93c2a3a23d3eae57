import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import type { MailboxAccess } from '@postroom/proto/postroom/v1/workspace';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { secretOf } from '@postroom/secrets/secret';
import fc from 'fast-check';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { createRenewalStore } from '../vault/credential-store.ts';
import type { OAuthGrant } from '../vault/credentials.ts';
import { accessHandlers, type AccessDeps } from './mailbox-access.ts';
import { createMailboxStore } from '../mailboxes/mailbox-store.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import { GrantGone, EndpointFault, type TokenAnswer } from '../oauth/token-endpoint.ts';

const context = createServiceContext({ name: 'workspace', log: silentLog });
const workspaceId = 'wsp_1';
const HOUR = 3_600_000;

let collections: Collections;
let vault: Vault;
beforeAll(async () => {
  ({ collections } = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context));
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  context.lifecycle.add('keys', () => rm(keys, { recursive: true }));
  await makeFirstKey(keys, '2026-01-01');
  vault = openVault(keys);
});
afterAll(() => context.lifecycle.close());

let now: number;
let mailboxId: string;
let provider: ReturnType<typeof strictProvider>;
beforeEach(async () => {
  now = Date.parse('2026-06-01T00:00:00Z');
  provider = strictProvider();
  mailboxId = await connected();
});

/** Takes each refresh token once; one that is shown again ends the grant. */
function strictProvider() {
  const state = { good: 'refresh-0', calls: 0, isGone: false, fault: undefined as Error | undefined };
  const endpoint = async ({ refreshToken }: OAuthGrant): Promise<TokenAnswer> => {
    state.calls += 1;
    if (state.fault) throw state.fault;
    if (refreshToken.reveal() !== state.good) state.isGone = true;
    if (state.isGone) throw new GrantGone('the token endpoint answered 400: invalid_grant');
    state.good = `refresh-${state.calls}`;
    const tokens = { accessToken: secretOf(`access-${state.calls}`), refreshToken: secretOf(state.good) };
    return { ...tokens, expiresInMs: HOUR };
  };
  return { state, endpoint };
}

async function connected(): Promise<string> {
  const _id = randomIds('mbx');
  const grant = { tokenEndpoint: 'https://tokens.example', clientId: 'c', refreshToken: secretOf('refresh-0') };
  await collections.mailboxes.create({
    _id,
    workspaceId,
    email: `${_id}@there.example`,
    emailKey: _id,
    recipientKeys: [],
    name: null,
    provider: 'imap',
    status: 'active',
    aliases: [],
    folders: [],
    server: { imapAddress: 'h:993', smtpAddress: 'h:465', user: 'u', ca: '' },
    credentials: await vault.seal({ workspaceId, mailboxId: _id }, { kind: 'oauth', grant }),
    tokenLock: { epoch: 1, holder: null, until: null },
    lastSyncedAt: null,
    createdAt: new Date(now),
  });
  return _id;
}

const clock = (sleep: () => Promise<void>) => ({ now: () => now, date: () => new Date(now), sleep });
const deps = (more: Partial<AccessDeps> = {}): AccessDeps => ({
  mailboxes: createMailboxStore(collections),
  renewals: createRenewalStore(collections),
  vault,
  relay: { publishSoon: () => undefined },
  context: { clock: clock(async () => undefined), ids: randomIds },
  tokenEndpoint: provider.endpoint,
  toItsEnd: (work) => work,
  random: () => 0.5,
  ...more,
});
const call = { signal: new AbortController().signal, remainingMs: () => 10_000 } as never;
const ask = (of: AccessDeps = deps(), refusedTokenEpoch?: number): Promise<MailboxAccess> =>
  accessHandlers(of).getMailboxAccess({ workspaceId, mailboxId, refusedTokenEpoch }, call);
const stored = () => collections.mailboxes.findById(mailboxId).lean();
const never = () => new Promise<never>(() => undefined);

/** Every step of everybody waits for its turn. */
function interleaved(scheduler: fc.Scheduler): AccessDeps {
  const step = async (name: string) => void (await scheduler.schedule(Promise.resolve(name), name));
  const waiting = <A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      await step(name);
      const done = await work(...args);
      await step(`after ${name}`);
      return done;
    };
  };
  const { mailboxes, renewals, tokenEndpoint, ...rest } = deps();
  return {
    ...rest,
    context: { clock: clock(() => step('sleep')), ids: randomIds },
    mailboxes: { ...mailboxes, find: waiting('read', mailboxes.find) as typeof mailboxes.find },
    renewals: {
      lock: waiting('lock', renewals.lock),
      save: waiting('save', renewals.save),
      rest: waiting('rest', renewals.rest),
    },
    tokenEndpoint: waiting('endpoint', tokenEndpoint),
  };
}

describe('an access token', () => {
  it('is the same until four fifths of its life are over, then another, and each refresh token is used once', async () => {
    expect(await ask()).toMatchObject({ accessToken: 'access-1', tokenEpoch: 2 });
    now += 0.8 * HOUR - 1;
    expect(await ask()).toMatchObject({ accessToken: 'access-1' });
    now += 1;
    expect(await ask()).toMatchObject({ accessToken: 'access-2', tokenEpoch: 3 });
    expect(provider.state).toMatchObject({ calls: 2, isGone: false });
    expect(JSON.stringify(await stored())).not.toMatch(/access-|refresh-/);
  });

  it('that was refused is replaced once, however many were refused with it', async () => {
    const { tokenEpoch } = await ask();
    const [one, other] = [await ask(deps(), tokenEpoch), await ask(deps(), tokenEpoch)];
    expect([one.accessToken, other.accessToken]).toEqual(['access-2', 'access-2']);
    expect(provider.state.calls).toBe(2);
  });

  it('is renewed once by all who ask at once, in whatever order their steps come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, callers) => {
        provider = strictProvider();
        mailboxId = await connected();
        const everybody = Promise.all(Array.from({ length: callers }, () => ask(interleaved(scheduler))));
        const answers = await scheduler.waitFor(everybody);
        expect(new Set(answers.map(({ accessToken }) => accessToken))).toEqual(new Set(['access-1']));
        expect(provider.state).toMatchObject({ calls: 1, isGone: false });
        const again = Promise.all(Array.from({ length: callers }, () => ask(interleaved(scheduler), 2)));
        expect(new Set((await scheduler.waitFor(again)).map(({ accessToken }) => accessToken))).toEqual(
          new Set(['access-2']),
        );
        expect(provider.state).toMatchObject({ calls: 2, isGone: false });
      }),
      { numRuns: 40 },
    );
  });

  it('that still works is given while the endpoint is unavailable, which is left alone for a while', async () => {
    await ask();
    now += 0.9 * HOUR;
    provider.state.fault = new EndpointFault('the token endpoint answered 503: nothing more');
    expect(await ask()).toMatchObject({ accessToken: 'access-1' });
    expect(await ask()).toMatchObject({ accessToken: 'access-1' });
    expect(provider.state.calls).toBe(2);
    now += 0.1 * HOUR;
    await expect(ask()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: /503/ });
    await expect(ask()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(provider.state.calls).toBe(3);
    provider.state.fault = undefined;
    now += 5_000;
    expect(await ask()).toMatchObject({ accessToken: 'access-4' });
    expect(await stored()).toMatchObject({ status: 'active', sync: { failCount: 0 } });
  });
});

describe('a grant that was taken back', () => {
  it('disconnects the mailbox at once with a pending event, and asks the provider no more', async () => {
    provider.state.isGone = true;
    await expect(ask()).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
    await expect(ask()).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
    expect(provider.state.calls).toBe(1);
    const { status, sync, outbox = {} } = (await stored()) ?? {};
    expect({ status, sync, pending: Object.values(outbox).map(({ type }) => type) }).toMatchObject({
      status: 'disconnected',
      sync: { failCount: 1, refusals: 1, lastError: /invalid_grant/ },
      pending: ['mailbox.sync_failed'],
    });
  });
});

describe('a process that dies', () => {
  it('once the new refresh token is stored has lost nothing', async () => {
    const { renewals } = deps();
    const save = async (...args: Parameters<typeof renewals.save>) => {
      await renewals.save(...args);
      return never();
    };
    void ask(deps({ renewals: { ...renewals, save } }));
    while ((await stored())?.tokenLock?.epoch !== 2) await new Promise(setImmediate);
    expect(await ask()).toMatchObject({ accessToken: 'access-1' });
    expect(provider.state).toMatchObject({ calls: 1, isGone: false });
  });

  it('before it asked is followed by another, when its lock is over', async () => {
    void ask(deps({ tokenEndpoint: never }));
    while (!(await stored())?.tokenLock?.holder) await new Promise(setImmediate);
    let slept = 0;
    const sleep = async () => {
      slept += 1;
      now += 10_000;
    };
    expect(await ask(deps({ context: { clock: clock(sleep), ids: randomIds } }))).toMatchObject({
      accessToken: 'access-1',
    });
    expect(slept).toBe(6);
  });

  it('between the two takes the refresh token along: the mailbox is stopped, for somebody to log in anew', async () => {
    const { renewals } = deps();
    void ask(deps({ renewals: { ...renewals, save: never } }));
    while (provider.state.calls === 0) await new Promise(setImmediate);
    now += 60_000;
    await expect(ask()).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
  });

  it('only in the eyes of others, and was slow, still stores the tokens that it alone has', async () => {
    const { renewals } = deps();
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const save = async (...args: Parameters<typeof renewals.save>) => {
      await asleep;
      return renewals.save(...args);
    };
    const slow = ask(deps({ renewals: { ...renewals, save } }));
    while (provider.state.calls === 0) await new Promise(setImmediate);
    now += 60_000;
    await expect(ask()).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
    wake();
    expect(await slow).toMatchObject({ accessToken: 'access-1' });
    expect((await stored())?.tokenLock).toMatchObject({ epoch: 2, holder: null });
  });
});
