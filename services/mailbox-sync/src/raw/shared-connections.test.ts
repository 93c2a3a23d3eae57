import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { createSharedConnections } from './shared-connections.ts';

const ANN = { workspaceId: 'w', mailboxId: 'ann' };
const BOB = { workspaceId: 'w', mailboxId: 'bob' };
const network = () => new ImapFault('network', 'gone');
const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

/** Logins that succeed until one is made to fail, and the connections that were opened and closed. */
function world() {
  const clock = manualClock();
  const opened: { mailboxId: string; isClosed: boolean }[] = [];
  let refusal: Error | undefined;
  let onRefusal: (() => void) | undefined;
  const shared = createSharedConnections({
    clock,
    logIn: async ({ mailboxId }) => {
      onRefusal?.();
      if (refusal) throw refusal;
      const one = { mailboxId, isClosed: false };
      opened.push(one);
      const connection = { close: () => (one.isClosed = true) } as unknown as ImapConnection;
      return { connection, idleMs: 10_000, longestMs: 60_000 };
    },
  });
  const patient = new AbortController().signal;
  const refuse = (error?: Error, before?: () => void) => void ([refusal, onRefusal] = [error, before]);
  return { clock, opened, shared, patient, refuse };
}

describe('connections that callers share', () => {
  it('are one for each mailbox, used by one caller after the other, in the order of asking', async () => {
    const { shared, opened, patient } = world();
    const order: string[] = [];
    const use = (name: string) =>
      shared.use(ANN, patient, async () => {
        order.push(`${name} begins`);
        await nextImmediate();
        order.push(`${name} ends`);
      });
    await Promise.all([use('one'), use('two'), use('three'), shared.use(BOB, patient, nextImmediate)]);
    expect(order.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends']);
    expect(order[0]).toBe('one begins');
    expect(opened.map(({ mailboxId }) => mailboxId).toSorted()).toEqual(['ann', 'bob']);
  });

  it('are kept for the next caller for a while, and then closed', async () => {
    const { shared, opened, patient, clock } = world();
    await shared.use(ANN, patient, nextImmediate);
    await clock.advance(9_000);
    await shared.use(ANN, patient, nextImmediate);
    await clock.advance(9_000);
    expect(opened).toEqual([{ mailboxId: 'ann', isClosed: false }]);
    await clock.advance(2_000);
    expect(opened).toEqual([{ mailboxId: 'ann', isClosed: true }]);
    await shared.use(ANN, patient, nextImmediate);
    expect(opened).toHaveLength(2);
    shared.close();
    expect(opened[1]?.isClosed).toBe(true);
  });

  it('are opened anew where one that was kept has died, and only then', async () => {
    const { shared, opened, patient } = world();
    await shared.use(ANN, patient, nextImmediate);
    let tries = 0;
    const once = async () => {
      tries += 1;
      if (tries === 1) throw network();
      return 'there';
    };
    expect(await shared.use(ANN, patient, once)).toBe('there');
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    await expect(shared.use(BOB, patient, () => Promise.reject(network()))).rejects.toThrow('gone');
    expect(opened.at(-1)).toEqual({ mailboxId: 'bob', isClosed: true });
  });

  it('are cut when the caller under way has no time left, and the next one has another', async () => {
    const { shared, opened, patient } = world();
    const hasty = new AbortController();
    const cut = shared.use(ANN, hasty.signal, async () => {
      hasty.abort(new Error('too late'));
      throw network();
    });
    const waiting = shared.use(ANN, patient, async () => 'served');
    await expect(cut).rejects.toThrow('too late');
    expect(await waiting).toBe('served');
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('are opened for the next caller at once where one gave up during its login', async () => {
    const { shared, opened, patient, refuse } = world();
    const hasty = new AbortController();
    refuse(network(), () => hasty.abort(new Error('gone away')));
    await expect(shared.use(ANN, hasty.signal, async () => 'never')).rejects.toThrow('gone away');
    refuse();
    expect(await shared.use(ANN, patient, async () => 'served')).toBe('served');
    expect(opened).toHaveLength(1);
  });

  it('are not opened for who gave up while others were served', async () => {
    const { shared, opened, patient } = world();
    const hasty = new AbortController();
    const first = shared.use(ANN, patient, nextImmediate);
    const second = shared.use(ANN, hasty.signal, async () => 'never');
    hasty.abort(new Error('gone away'));
    await expect(second).rejects.toThrow('gone away');
    await first;
    expect(opened).toHaveLength(1);
  });

  it('are not kept for ever where one caller follows the other', async () => {
    const { shared, opened, patient, clock } = world();
    for (let call = 0; call < 9; call += 1) {
      await shared.use(ANN, patient, nextImmediate);
      await clock.advance(9_000);
    }
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('a provider that does not let us in is left alone for a while, however many ask', async () => {
    const { shared, opened, patient, clock, refuse } = world();
    refuse(new ImapFault('refusal', 'refused'));
    await expect(shared.use(ANN, patient, nextImmediate)).rejects.toThrow('refused');
    refuse();
    await clock.advance(59_000);
    await expect(shared.use(ANN, patient, nextImmediate)).rejects.toThrow('refused');
    expect(opened).toEqual([]);
    await clock.advance(2_000);
    await shared.use(ANN, patient, nextImmediate);
    expect(opened).toHaveLength(1);
  });
});
