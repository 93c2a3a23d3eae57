import { beforeAll, describe, expect, it } from '@jest/globals';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { storeDelivery } from '../support/deliveries.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let postroom: CommandLine;
let workspace: TestWorkspace;
let webhook: { id: string; status: string };
let deliveryId: string;
let named: string[];

beforeAll(async () => {
  postroom = commandLine(addressesOf(stack));
  workspace = await stack.workspace();
  const endpoint = { url: 'https://hooks.example.com/', events: ['mailbox.sync_failed'] };
  ({ webhook } = (await workspace.write.post('/webhooks', endpoint)).body);
  deliveryId = await storeDelivery(stack, workspace.id, webhook.id, { _id: 'dlv_1' });
  named = ['--workspace', workspace.id, '--webhook', webhook.id];
});

describe('postroom webhook', () => {
  it('pauses and enables a webhook as the API shows it, and lists it', async () => {
    const shown = async () => (await workspace.read.get(`/webhooks/${webhook.id}`)).body.webhook;
    expect(await postroom.json('webhook', 'pause', ...named)).toEqual(await shown());
    expect((await shown()).status).toBe('paused');
    expect((await postroom('webhook', 'list', '--workspace', workspace.id)).stdout).toMatch(/whk_\w+.*paused/);
    expect(await postroom.json('webhook', 'enable', ...named)).toEqual(await shown());
    expect(await postroom.json('webhook', 'list', '--workspace', workspace.id)).toEqual({ items: [await shown()] });
    expect((await shown()).status).toBe('enabled');
  });

  it('replays one delivery, and everything since a moment', async () => {
    await postroom.json('webhook', 'pause', ...named);
    const { items } = (await workspace.read.get(`/webhooks/${webhook.id}/deliveries`)).body;
    expect(await postroom.json('webhook', 'list', ...named)).toEqual({ items });
    expect((await postroom('webhook', 'list', ...named)).stdout).toMatch(/dlv_1 .*abandoned/);
    const recovered = await postroom.json('webhook', 'replay', ...named, '--since', '2020-01-01');
    expect(recovered).toEqual({ deliveries: 1 });
    const replayed = await postroom.json('webhook', 'replay', ...named, '--delivery', deliveryId);
    expect(replayed).toMatchObject({ id: deliveryId, status: 'pending', attempts: [{ status: 500, error: null }] });
  });

  it('says what to do about unknown ids, a missing choice and too many deliveries', async () => {
    const foreign = ['--workspace', (await stack.workspace()).id, '--webhook', webhook.id];
    const unknownWebhook = {
      exitCode: 1,
      stderr: expect.stringContaining('"postroom webhook list --workspace ID" shows them'),
    };
    for (const verb of ['pause', 'enable', 'list'])
      expect(await postroom('webhook', verb, ...foreign)).toMatchObject(unknownWebhook);
    expect(await postroom('webhook', 'replay', ...named, '--delivery', 'dlv_none')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('--webhook ID" shows them'),
    });
    const choice = { exitCode: 2, stderr: expect.stringContaining('either --delivery ID or --since MOMENT') };
    expect(await postroom('webhook', 'replay', ...named)).toMatchObject(choice);
    expect(await postroom('webhook', 'replay', ...named, '--delivery', 'd', '--since', '2020-01-01')).toMatchObject(
      choice,
    );
    expect(await postroom('webhook', 'list', ...named, '--limit', '201')).toMatchObject({ exitCode: 2 });
  });
});
