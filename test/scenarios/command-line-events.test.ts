import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@postroom/events/event';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { deadTopicOf, topicNames } from '@postroom/events/topics';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
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

describe('events', () => {
  it('of a system whose events stay in its process are listed, shown, replayed and dropped through its door', async () => {
    const seen: string[] = [];
    let sound = false;
    const consumer = await bus.subscribe({
      group: 'sorter',
      topic: 'email.deleted',
      retry: { attempts: 1 },
      onMessage: async ({ id }) => {
        if (!sound) throw new Error(`no place for ${id}`);
        seen.push(id);
      },
    });
    const event = (id: string) =>
      encodeEvent({
        id,
        type: 'email.deleted',
        workspaceId: 'wsp_1',
        occurredAt: new Date(0),
        data: { emailId: `eml_${id}`, mailboxId: 'mbx_1' },
      });
    await bus.publish('email.deleted', ['one', 'two', 'three'].map(event));
    await bus.idle();
    sound = true;
    const { items } = await postroom.json('events', 'list');
    expect(items).toMatchObject(
      ['one', 'two', 'three'].map((id) => ({
        topic: 'email.deleted',
        id,
        group: 'sorter',
        cause: `Error: no place for ${id}`,
      })),
    );
    expect((await postroom('events', 'list', 'email.deleted')).stdout).toContain('no place for two');
    expect(await postroom.json('events', 'show', 'email.deleted', '--id', 'two')).toMatchObject({
      workspaceId: 'wsp_1',
      data: { emailId: 'eml_two' },
    });
    expect(await postroom.json('events', 'drop', 'email.deleted', '--id', 'one')).toMatchObject({ dropped: 1 });
    expect(await postroom.json('events', 'replay', 'email.deleted', '--id', 'three')).toMatchObject({ replayed: 1 });
    await bus.idle();
    expect(seen).toEqual(['three']);
    expect(await postroom.json('events', 'replay', 'email.deleted.dead')).toMatchObject({ replayed: 1 });
    await bus.idle();
    expect(seen).toEqual(['three', 'two']);
    expect(await postroom.json('events', 'list')).toEqual({ items: [] });
    await consumer.close();
  });

  it('of every topic are listed, as many of each as are asked for, and those of one are dropped all at once', async () => {
    const letter = (id: string) => ({ id, key: 'mbx_1', occurredAt: new Date(0), value: Buffer.from([255]) });
    for (const type of topicNames)
      await bus.publish(
        deadTopicOf(type),
        ['one', 'two'].map((id) => ({ ...letter(id), type })),
      );
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
