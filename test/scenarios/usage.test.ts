import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActivityServiceDefinition } from '@postroom/proto/postroom/v1/activity';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { eventually } from '../engines/eventually.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack({ variables: { USAGE_FLUSH: '20ms' } });
const context = createServiceContext({ name: 'test', log: silentLog });
let activity: Client<typeof ActivityServiceDefinition>;
beforeAll(() => {
  activity = connect(ActivityServiceDefinition, stack.addresses.WORKSPACE_ADDR, { context });
});
afterAll(() => context.lifecycle.close());

const today = () => new Date().toISOString().slice(0, 10);

describe('the calls of a key', () => {
  it('are counted by endpoint whatever their answer, with its last use, and against the plan', async () => {
    const workspace = await stack.workspace({ plan: 'free' });
    const other = await stack.workspace();
    const call = { workspaceId: workspace.id };
    expect(await activity.listKeyUse({}, call)).toEqual({ items: [] });

    await workspace.read.get('/emails');
    await workspace.read.get('/emails?limit=1');
    await workspace.read.get('/emails/eml_there_is_none');
    await workspace.read.post('/labels', { name: 'x', color: 'red' });
    await workspace.read.get('/no/such/path');
    await other.read.get('/emails');

    const items = await eventually(async () => {
      const use = await activity.listKeyUse({}, call);
      expect(use.items[0]?.callsOfDay).toBe(5);
      return use.items;
    });
    expect(items).toEqual([
      {
        keyId: expect.stringMatching(/^key_/),
        lastUsedAt: expect.any(String),
        lastAddress: '127.0.0.1',
        callsOfDay: 5,
      },
    ]);
    expect(Date.now() - Date.parse(items[0]?.lastUsedAt ?? '')).toBeLessThan(60_000);

    const days = { from: today(), to: today(), keyId: undefined, endpoint: undefined };
    const { byKey, byEndpoint } = await activity.readUsage(days, call);
    expect(byKey.reduce((sum, { calls }) => sum + calls, 0)).toBe(5);
    expect(byEndpoint.map(({ endpoint, calls }) => [endpoint, calls])).toEqual([
      ['GET /emails', 2],
      ['GET /emails/{emailId}', 1],
      ['POST /labels', 1],
      ['unknown', 1],
    ]);

    // A refusal for want of a scope counts in the minute and costs no unit.
    const limits = {
      plan: 'free',
      minute: { limit: 60, used: 5, resetsAt: expect.any(String) },
      month: { limit: 10_000, used: 4, resetsAt: expect.any(String) },
    };
    await eventually(async () => expect(await activity.readLimits({}, call)).toEqual(limits));
  });

  it('show nothing to another workspace', async () => {
    const call = { workspaceId: 'wsp_there_is_none' };
    const days = { from: today(), to: today(), keyId: undefined, endpoint: undefined };
    expect(await activity.listKeyUse({}, call)).toEqual({ items: [] });
    expect(await activity.readUsage(days, call)).toEqual({ byKey: [], byEndpoint: [] });
    expect(await activity.listModelUse(days, call)).toEqual({ days: [], rules: [] });
    await expect(activity.readLimits({}, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
