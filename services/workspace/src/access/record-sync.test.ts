import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeEvent } from '@postroom/events/event';
import type { RecordSyncRequest } from '@postroom/proto/postroom/v1/workspace';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { eventually } from '../../../../test/engines/eventually.ts';
import { openOperatorPort, server, type OperatorPort } from '../../../../test/support/operator-port.ts';

const MINUTE = 60_000;

let clock: ManualClock;
let operatorPort: OperatorPort;
let mailbox: { workspaceId: string; mailboxId: string };
/** The `mailbox.sync_failed` events of this mailbox. */
let told: { failCount: number; deactivated: boolean; error: string }[];
beforeEach(async () => {
  clock = manualClock('2026-06-01T00:00:00Z');
  operatorPort = await openOperatorPort({ clock });
  told = [];
  await operatorPort.bus.subscribe({
    group: 'test',
    topic: 'mailbox.sync_failed',
    onMessage: async (message) => void told.push(decodeEvent('mailbox.sync_failed', message).data),
  });
  const { id: workspaceId } = await operatorPort.operators().createWorkspace({ name: 'W', plan: 'free' }, {});
  const request = { workspaceId, email: 'a@there.example', aliases: [], withoutTrash: false };
  const { id: mailboxId } = await operatorPort.operators().connectMailbox({ ...request, server: server('pass') }, {});
  mailbox = { workspaceId, mailboxId };
});
afterEach(() => operatorPort.close());

const record = (more: Partial<RecordSyncRequest>) =>
  operatorPort.access().recordSync({ ...mailbox, epoch: 1, ...more }, {});
const refused = { cause: 'the server refused the login', isRefusal: true };
const folder = (path: string, type = 'OTHER', id?: string) => ({ path, name: path, type, delimiter: '/', id });
const stored = () => operatorPort.collections.mailboxes.findById(mailbox.mailboxId).lean();

describe('a failed attempt', () => {
  it('is told each time, counted, until the login was refused three times over ten minutes', async () => {
    for (const failCount of [1, 2]) {
      expect(await record({ failed: refused })).toMatchObject({ status: 'active', failCount });
      await clock.advance(5 * MINUTE);
    }
    expect(await record({ failed: refused })).toMatchObject({ status: 'disconnected', failCount: 3 });
    await eventually(async () => {
      expect(told.map(({ failCount, deactivated }) => [failCount, deactivated])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ]);
    });
    expect(told[0]?.error).toBe(refused.cause);
  });

  it('counts once for each of several reports at once', async () => {
    const failed = { cause: 'the connection was lost', isRefusal: false };
    await Promise.all(Array.from({ length: 8 }, () => record({ failed })));
    expect((await stored())?.sync).toMatchObject({ failCount: 8, refusals: 0 });
    await eventually(async () =>
      expect(told.map(({ failCount }) => failCount).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]),
    );
  });

  it('of a mailbox that an operator has stopped changes nothing, nor does one that went well start it', async () => {
    await operatorPort.operators().disconnectMailbox({ mailboxId: mailbox.mailboxId }, {});
    expect(await record({ failed: refused })).toMatchObject({ status: 'disconnected', failCount: 0 });
    expect(await record({ lastSyncedAt: '2026-06-01T00:00:00Z' })).toMatchObject({ status: 'disconnected' });
    expect(told).toEqual([]);
  });

  it('counts no more after an attempt that went well, or a reconnection', async () => {
    await record({ failed: refused });
    expect(await record({ lastSyncedAt: '2026-06-01T00:00:01Z' })).toMatchObject({ failCount: 0 });
    expect(await stored()).toMatchObject({ lastSyncedAt: new Date('2026-06-01T00:00:01Z'), sync: { lastError: null } });
    await record({ failed: refused });
    await operatorPort.operators().reconnectMailbox({ mailboxId: mailbox.mailboxId }, {});
    expect(await record({ failed: refused })).toMatchObject({ failCount: 1 });
  });
});

describe('a holder', () => {
  it('CONFLICT when a newer one has reported', async () => {
    await record({ epoch: 7, failed: refused });
    await expect(record({ epoch: 6, lastSyncedAt: '2026-06-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await stored())?.sync).toMatchObject({ epoch: 7, failCount: 1 });
  });

  it('MAILBOX_NOT_FOUND for the mailbox of another workspace', async () => {
    await expect(record({ workspaceId: 'wsp_other' })).rejects.toMatchObject({ code: 'MAILBOX_NOT_FOUND' });
  });
});

describe('the folders of the provider', () => {
  it('take the place of those made at the connection, and keep their ids over a new name', async () => {
    const before = (await stored())?.folders ?? [];
    const first = await record({ folders: { items: [folder('INBOX', 'INBOX'), folder('Work/New')] } });
    expect(first.folders.map(({ path, type }) => [path, type])).toEqual([
      ['INBOX', 'INBOX'],
      ['Work/New', 'OTHER'],
      ['', 'SENT'],
      ['', 'DRAFTS'],
    ]);
    expect(first.folders[0]?.id).toBe(before[0]?.id);
    const work = first.folders[1]?.id ?? '';
    const items = [folder('INBOX', 'INBOX'), folder('Old', 'OTHER', work)];
    const renamed = await record({ folders: { items } });
    expect(renamed.folders[1]).toEqual({ id: work, path: 'Old', name: 'Old', type: 'OTHER', delimiter: '/' });
  });

  it('VALIDATION_FAILED for a type that there is not', async () => {
    const items = [folder('X', 'ARCHIVE')];
    await expect(record({ folders: { items } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
