import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openWaitingApproval, storeGrant } from '../support/agents.ts';
import { openAppPeople } from '../support/app-client.ts';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack({ beside: ['app'] });
let postroom: CommandLine;
let workspace: TestWorkspace;
let named: string[];
beforeAll(() => {
  postroom = commandLine(addressesOf(stack));
});
beforeEach(async () => {
  workspace = await stack.workspace();
  named = ['--workspace', workspace.id];
});

const told = (action: string) =>
  stack.collections.auditEntries.find({ workspaceId: workspace.id, action, outcome: 'done' }).lean();
const byOperator = { actor: { kind: 'operator' } };

describe('postroom approval', () => {
  it('lists, shows, refuses and approves, and the audit log tells of it', async () => {
    const { id: mailboxId } = await workspace.connectMailbox();
    const people = await openAppPeople(stack);
    const { personId } = await people.joined(workspace.id, 'owner');
    await people.close();
    const grantId = await storeGrant(stack, workspace.id, personId);
    const asked = { personId, grantId, subject: 'Tuesday' };
    const open = (body: object) => openWaitingApproval(stack, workspace.id, mailboxId, { ...asked, body });
    const [one, other] = [await open({ text: 'Is Tuesday\u0007 fine?' }), await open({ html: '<p>Friday?</p>' })];
    const { items } = await postroom.json('approval', 'list', ...named);
    expect(items.map(({ id }: { id: string }) => id).toSorted()).toEqual([one, other].toSorted());
    expect((await postroom('approval', 'list', ...named)).stdout).toContain('bob@other.example');
    const { stdout } = await postroom('approval', 'show', ...named, '--approval', one);
    expect(stdout).toMatch(/^to: bob@other\.example$[\s\S]*^Is Tuesday +fine\?$/m);
    const whole = await postroom.json('approval', 'show', ...named, '--approval', other);
    expect(whole).toMatchObject({ id: other, body: { html: '<p>Friday?</p>' } });
    await postroom.json('approval', 'refuse', ...named, '--approval', other);
    const { draftId } = await postroom.json('approval', 'approve', ...named, '--approval', one);
    const send = await stack.collections.sends.findOne({ draftId }).lean();
    expect(send?.approval).toMatchObject({ decision: 'approved', decidedBy: null });
    expect(await postroom.json('approval', 'list', ...named)).toEqual({ items: [] });
    expect(await told('approval.granted')).toMatchObject([{ ...byOperator, target: { id: draftId } }]);
    expect(await told('approval.refused')).toMatchObject([byOperator]);
  });

  it('says what to do about an approval that is not there', async () => {
    for (const verb of ['show', 'approve', 'refuse']) {
      const said = await postroom('approval', verb, ...named, '--approval', 'snd_none.apr_1');
      expect(said).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"postroom approval list') });
    }
  });
});

describe('postroom agents', () => {
  it('lists the clients with their sends of today, and revokes one', async () => {
    const people = await openAppPeople(stack);
    const { personId } = await people.joined(workspace.id, 'owner');
    await people.close();
    const grantId = await storeGrant(stack, workspace.id, personId);
    const { id: mailboxId } = await workspace.connectMailbox();
    const asked = { personId, subject: 'Tuesday', grantId };
    await openWaitingApproval(stack, workspace.id, mailboxId, asked);
    const { items, sending } = await postroom.json('agents', 'list', ...named);
    expect(items).toMatchObject([{ id: grantId, clientName: 'Helper', level: 'approve', sendsToday: 1 }]);
    expect(sending).toEqual({ stopped: false, stoppedAt: null, stoppedBy: null, sendsPerDay: 200 });
    expect(await postroom.json('agents', 'revoke', ...named, '--grant', grantId)).toEqual({ id: grantId });
    const again = await postroom('agents', 'revoke', ...named, '--grant', grantId);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"postroom agents list') });
    expect(await told('grant.revoked')).toMatchObject([byOperator]);
  });

  it('stops all sending, says so, and allows it again', async () => {
    expect(await postroom.json('agents', 'stop', ...named)).toMatchObject({ stopped: true, stoppedBy: null });
    expect((await postroom('agents', 'list', ...named)).stdout).toContain('All sending by agents is stopped since');
    expect(await postroom.json('agents', 'resume', ...named)).toMatchObject({ stopped: false });
    expect(await told('agent_sending.stopped')).toMatchObject([byOperator]);
    expect(await told('agent_sending.allowed')).toMatchObject([byOperator]);
  });
});
