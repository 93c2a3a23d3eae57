import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLog, type Log } from '@postroom/runtime/log';
import { browseTo, openConsentProvider } from '../../../../test/support/consent-provider.ts';
import { openOperatorPort, type OperatorPort } from '../../../../test/support/operator-port.ts';
import { openTokenEndpoint, type TokenEndpoint } from '../../../../test/support/token-endpoint.ts';

let written: string;
let log: Log;
let operatorPort: OperatorPort;
let endpoint: TokenEndpoint;
beforeEach(async () => {
  written = '';
  const lines = new PassThrough().on('data', (piece: Buffer) => (written += piece.toString()));
  endpoint = await openTokenEndpoint();
  log = createLog('workspace', 'trace', lines);
  operatorPort = await openOperatorPort({ log });
});
afterEach(async () => {
  await operatorPort.close();
  await endpoint.close();
  expect(written).not.toMatch(/canary|refresh-\d|access-\d/);
});

const server = (grant: object) => ({
  imapAddress: 'imap.there.example:993',
  smtpAddress: 'smtp.there.example:465',
  user: 'ann',
  password: '',
  grant: { ...endpoint.grant, ...grant },
});
async function connectMailbox(grant: object = {}) {
  const { id: workspaceId } = await operatorPort.operators().createWorkspace({ name: 'W', plan: 'free' }, {});
  const request = { workspaceId, email: 'ann@there.example', aliases: [], withoutTrash: false, server: server(grant) };
  const { id: mailboxId } = await operatorPort.operators().connectMailbox(request, {});
  return { workspaceId, mailboxId };
}

describe('a mailbox that is logged in to by OAuth', () => {
  it('gets one access token of two services that are asked for it at once, and its secrets are sealed', async () => {
    const mailbox = await connectMailbox();
    const first = operatorPort.access();
    await operatorPort.open();
    const ports = [first, operatorPort.access(), first, operatorPort.access()];
    const answers = await Promise.all(ports.map((api) => api.getMailboxAccess(mailbox, {})));
    expect(answers.map(({ accessToken }) => accessToken)).toEqual(Array.from({ length: 4 }, () => 'access-1'));
    expect(answers[0]?.password).toBeUndefined();
    expect(endpoint.state).toMatchObject({ calls: 1, isRevoked: false });
    expect(JSON.stringify(await operatorPort.collections.mailboxes.find({}).lean())).not.toMatch(
      /canary|refresh-|access-/,
    );
  });

  it('keeps its grant when keys change, by the one command, and opens without the old key then', async () => {
    const mailbox = await connectMailbox();
    await operatorPort.access().getMailboxAccess(mailbox, {});
    await writeFile(join(operatorPort.keys, '2026-02-01'), randomBytes(32));
    const sealed = [{ keyId: '2026-02-01', count: 1, isKnown: true }];
    expect(await operatorPort.operators().rotateSecrets({}, {})).toMatchObject({ sealed });
    await rename(join(operatorPort.keys, '2026-01-01'), join(operatorPort.keys, '.gone'));
    const access = operatorPort.access();
    const { accessToken, tokenEpoch } = await access.getMailboxAccess(mailbox, {});
    expect(accessToken).toBe('access-1');
    expect(await access.getMailboxAccess({ ...mailbox, refusedTokenEpoch: tokenEpoch }, {})).toMatchObject({
      accessToken: 'access-2',
    });
  });

  it('is stopped when its grant is gone, and comes back with another', async () => {
    const mailbox = await connectMailbox();
    endpoint.state.isRevoked = true;
    await expect(operatorPort.access().getMailboxAccess(mailbox, {})).rejects.toMatchObject({
      code: 'MAILBOX_INACTIVE',
    });
    expect(await operatorPort.operators().locateMailbox({ mailboxId: mailbox.mailboxId }, {})).toMatchObject({
      mailbox: { status: 'disconnected' },
    });
    endpoint.state.isRevoked = false;
    const again = { mailboxId: mailbox.mailboxId, grant: endpoint.grant };
    expect(await operatorPort.operators().reconnectMailbox(again, {})).toMatchObject({ status: 'active' });
    expect(await operatorPort.access().getMailboxAccess(mailbox, {})).toMatchObject({ accessToken: 'access-2' });
  });

  it('may be logged in to with a password from some moment on, and the other way round', async () => {
    const mailbox = await connectMailbox();
    const { mailboxId } = mailbox;
    await operatorPort.operators().reconnectMailbox({ mailboxId, password: 'canary-password' }, {});
    expect(await operatorPort.access().getMailboxAccess(mailbox, {})).toMatchObject({ password: 'canary-password' });
    await operatorPort.operators().reconnectMailbox({ mailboxId, grant: endpoint.grant }, {});
    expect(await operatorPort.access().getMailboxAccess(mailbox, {})).toMatchObject({ accessToken: 'access-1' });
  });

  it.each([
    ['an endpoint in the clear', { tokenEndpoint: 'http://tokens.example/token' }],
    ['an endpoint with a password in it', { tokenEndpoint: 'https://a:b@tokens.example/token' }],
    ['no refresh token', { refreshToken: '' }],
  ])('VALIDATION_FAILED for %s', async (_what, grant) => {
    await expect(connectMailbox(grant)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('tokens for a login that is tried before the mailbox is connected', () => {
  const ask = () => operatorPort.operators().requestTokens({ grant: endpoint.grant }, {});

  it('come with the refresh token that is good from then on', async () => {
    expect(await ask()).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1' });
  });

  it('VALIDATION_FAILED with what the endpoint says of the grant', async () => {
    endpoint.state.isRevoked = true;
    const details = { grant: [expect.stringMatching(/invalid_grant Token has been expired or revoked/)] };
    await expect(ask()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details });
  });
});

it('a consent leaves no code and no token in a log line, whether it is given or fails', async () => {
  const provider = await openConsentProvider();
  const port = await openOperatorPort({ log, variables: provider.variables('GMAIL') });
  const redirectUri = 'https://mail.example/app/mailboxes/consent/gmail';
  provider.state.redirectUri = redirectUri;
  try {
    const { id: workspaceId } = await port.operators().createWorkspace({ name: 'W', plan: 'free' }, {});
    const consent = { workspaceId, sessionId: 'ses_1', provider: 'gmail' };
    const ask = async () => {
      const { url } = await port.app().beginConsent({ ...consent, redirectUri }, {});
      return port.app().finishConsent({ ...consent, query: await browseTo(url) }, {});
    };
    expect(await ask()).toMatchObject({ email: provider.state.account });
    provider.state.secret = 'another';
    await expect(ask()).rejects.toMatchObject({ code: 'CONSENT_FAILED' });
    expect(written).toContain('a consent got no tokens');
  } finally {
    await port.close();
    await provider.close();
  }
});
