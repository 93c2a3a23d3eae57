import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { encodeEvent } from '@postroom/events/event';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { commandLine } from '../support/command-line.ts';
import { removeTopics } from '../support/kafka-topics.ts';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';

jest.setTimeout(120_000);

const { KAFKA_BROKERS = '' } = process.env;
if (!KAFKA_BROKERS) skipAloud("the operators' commands on a broker (KAFKA_BROKERS is not given)");

(KAFKA_BROKERS ? describe : describe.skip)('postroom events, on a broker', () => {
  const prefix = `cli-${randomUUID().slice(0, 8)}.`;
  const brokers = KAFKA_BROKERS.split(',');
  const postroom = commandLine({ KAFKA_BROKERS, KAFKA_TOPIC_PREFIX: prefix });
  let bus: Bus;
  beforeAll(async () => {
    bus = await openKafkaBus({ brokers, clientId: 'test', prefix, clock: systemClock, log: silentLog });
  });
  afterAll(async () => {
    await bus.close();
    await removeTopics(brokers, prefix);
  });

  it('lists and shows what a consumer gave up on, and hands on or throws away those that are named', async () => {
    const seen: string[] = [];
    let sound = false;
    const consumer = await bus.subscribe({
      group: 'sorter',
      topic: 'email.deleted',
      retry: { attempts: 2, firstDelayMs: 5 },
      onMessage: async ({ id }) => {
        if (!sound) throw new Error(`no place for ${id}`);
        seen.push(id);
      },
    });
    const facts = { type: 'email.deleted', workspaceId: 'wsp_1', occurredAt: new Date(0) } as const;
    const event = (id: string) => encodeEvent({ ...facts, id, data: { emailId: `eml_${id}`, mailboxId: 'mbx_1' } });
    await bus.publish('email.deleted', ['one', 'two', 'three'].map(event));
    await eventually(async () => expect((await postroom.json('events', 'list')).items).toHaveLength(3), 60_000);
    sound = true;

    const because = { topic: 'email.deleted', group: 'sorter', attempts: 2 };
    const { items } = await postroom.json('events', 'list', 'email.deleted');
    expect(items).toMatchObject(
      ['one', 'two', 'three'].map((id) => ({ ...because, id, cause: `Error: no place for ${id}` })),
    );
    const shown = await postroom.json('events', 'show', 'email.deleted.dead', '--id', 'two');
    expect(shown).toMatchObject({ ...because, workspaceId: 'wsp_1', data: { emailId: 'eml_two', mailboxId: 'mbx_1' } });
    const resolved = [
      await postroom.json('events', 'drop', 'email.deleted', '--id', 'one'),
      await postroom.json('events', 'replay', 'email.deleted', '--id', 'three'),
    ];
    expect(resolved).toMatchObject([{ dropped: 1 }, { replayed: 1 }]);
    await eventually(() => expect(seen).toEqual(['three']), 60_000);
    expect(await postroom.json('events', 'replay', 'email.deleted')).toMatchObject({ replayed: 1 });
    await eventually(() => expect(seen).toEqual(['three', 'two']), 60_000);
    expect(await postroom.json('events', 'replay', 'email.deleted')).toMatchObject({ replayed: 0 });
    expect(await postroom.json('events', 'list')).toEqual({ items: [] });
    await consumer.close();
    expect(seen).toEqual(['three', 'two']);
  });
});
