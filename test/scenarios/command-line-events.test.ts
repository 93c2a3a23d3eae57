import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { topicNames } from '@postroom/events/topics';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { eventually } from '../engines/eventually.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
let bus: MemoryBus;
let postroom: CommandLine;

beforeAll(async () => {
  bus = memoryBus({ clock: systemClock, log: silentLog });
  stack = await startStack({ bus, kafkaBrokers: undefined });
  postroom = commandLine(addressesOf(stack));
});
afterAll(async () => {
  await stack.close();
  await bus.close();
});

const event = (id: string, workspaceId = 'wsp_1') =>
  encodeEvent({
    id,
    type: 'email.deleted',
    workspaceId,
    occurredAt: new Date(0),
    data: { emailId: `eml_${id}`, mailboxId: 'mbx_1' },
  });

describe('events', () => {
  it('that a consumer gave up are listed, shown, replayed and dropped', async () => {
    const seen: string[] = [];
    let sound = false;
    const consumer = await bus.subscribe({
      group: 'sorter',
      topic: 'email.deleted',
      retry: { attempts: 1 },
      deadLetters: createDeadLetterStore(stack.collections),
      onMessage: async ({ id }) => {
        if (!sound) throw new Error(`no slot for ${id}`);
        seen.push(id);
      },
    });
    await bus.publish('email.deleted', [event('one'), event('two'), event('three', 'wsp_2')]);
    await bus.idle();
    const { items } = await postroom.json('events', 'list');
    expect(items).toMatchObject(
      ['one', 'two', 'three'].map((id) => ({
        topic: 'email.deleted',
        id,
        group: 'sorter',
        cause: `Error: no slot for ${id}`,
      })),
    );
    const ofOne = await postroom.json('events', 'list', '--workspace', 'wsp_2');
    expect(ofOne).toMatchObject({ items: [{ id: 'three' }] });
    expect((await postroom('events', 'list', 'email.deleted')).stdout).toContain('no slot for two');
    expect(await postroom.json('events', 'show', 'email.deleted', '--id', 'two')).toMatchObject({
      workspaceId: 'wsp_1',
      data: { emailId: 'eml_two' },
    });
    expect(await postroom.json('events', 'drop', 'email.deleted', '--id', 'one')).toMatchObject({ dropped: 1 });
    // It fails once more, and is a dead letter again.
    expect(await postroom.json('events', 'replay', 'email.deleted', '--id', 'two')).toMatchObject({ replayed: 1 });
    await bus.idle();
    sound = true;
    expect(await postroom.json('events', 'replay', 'email.deleted', '--id', 'three')).toMatchObject({ replayed: 1 });
    await bus.idle();
    expect(seen).toEqual(['three']);
    expect(await postroom.json('events', 'replay', 'email.deleted')).toMatchObject({ replayed: 1 });
    await bus.idle();
    expect(seen).toEqual(['three', 'two']);
    expect(await postroom.json('events', 'list')).toEqual({ items: [] });
    await eventually(async () => expect(await stack.collections.deadLetters.countDocuments({})).toBe(0));
    await consumer.close();
  });

  it('of every topic are listed, as many of each as are asked for, and those of one are dropped all at once', async () => {
    const deadLetters = createDeadLetterStore(stack.collections);
    const facts = { workspaceId: '', group: 'sorter', key: 'mbx_1', cause: 'Error', attempts: 5, replays: 0 };
    const begun = Date.now();
    for (const topic of topicNames)
      for (const id of ['one', 'two']) {
        // An older one is over, and the database may delete it at any moment.
        const at = new Date(begun - (id === 'one' ? 2_000 : 1_000));
        await deadLetters.add({ ...facts, id, topic, occurredAt: at, givenUpAt: at, value: Buffer.from([255]) });
      }
    const { items } = await postroom.json('events', 'list', '--limit', '1');
    expect(items).toMatchObject(topicNames.map((topic) => ({ topic, id: 'one' })));
    expect(items).toHaveLength(topicNames.length);
    // This value cannot be decoded, so the command shows the metadata alone.
    const shown = await postroom.json('events', 'show', 'email.received', '--id', 'two');
    expect(shown).toMatchObject({ topic: 'email.received', id: 'two', key: 'mbx_1', workspaceId: null, data: null });
    for (const topic of topicNames)
      expect(await postroom.json('events', 'drop', topic, '--all')).toEqual({ topic, dropped: 2 });
    expect(await postroom.json('events', 'list')).toEqual({ items: [] });
  });

  it('are listed again ten minutes after a replay that does not end, and a letter that came back is not removed', async () => {
    const deadLetters = createDeadLetterStore(stack.collections);
    const now = new Date();
    const later = new Date(now.getTime() + 600_000);
    const facts = { workspaceId: 'wsp_1', group: 'sorter', key: 'mbx_1', cause: 'Error', attempts: 5, replays: 0 };
    const letter = {
      ...facts,
      id: 'one',
      topic: 'email.deleted',
      occurredAt: now,
      givenUpAt: now,
      value: Buffer.from([1]),
    };
    await deadLetters.add(letter);
    const filter = { topic: 'email.deleted', until: now };
    const claim = (replayId: string, at: Date) => deadLetters.claim(filter, { replayId, replayUntil: later }, at);
    const claims = await Promise.all([claim('rpl_1', now), claim('rpl_2', now)]);
    expect(claims.flat()).toHaveLength(1);
    expect(await deadLetters.list(filter, now, 10)).toEqual([]);
    expect(await deadLetters.list(filter, later, 10)).toHaveLength(1);
    await deadLetters.add({ ...letter, replays: 1 });
    for (const claimed of claims.flat()) await deadLetters.removeReplayed(claimed);
    expect(await deadLetters.list(filter, now, 10)).toMatchObject([{ eventId: 'one', replays: 1 }]);
    expect(await deadLetters.drop(filter, now)).toBe(1);
  });

  it('exit 1 for one that is not there, and exit 2 for a topic that does not exist or a drop that names none', async () => {
    expect(await postroom('events', 'show', 'email.deleted', '--id', 'x')).toMatchObject({ exitCode: 1 });
    expect(await postroom('events', 'drop', 'email.deleted')).toMatchObject({ exitCode: 2 });
    expect(await postroom('events', 'drop', 'email.deleted', '--id', 'x', '--all')).toMatchObject({ exitCode: 2 });
    expect(await postroom('events', 'replay', 'mail')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('take one of email.received, '),
    });
  });
});
