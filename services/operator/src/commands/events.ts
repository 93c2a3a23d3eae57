import { topicNames, type Topic } from '@postroom/events/topics';
import type { DeadLetter } from '@postroom/proto/postroom/v1/dead_letters';
import { Event } from '@postroom/proto/postroom/v1/events';
import { defineCommand, type Command } from '../command/command.ts';
import { CommandRefusal } from '../command/command-deps.ts';
import { flagOption, optional, repeated, textOption, UsageError, wholeNumber } from '../command/option.ts';

const topicOperand = { flags: '<topic>', description: topicNames.join(', ') };
const ids = repeated('--id <id>', 'only this one; may be given several times');
const LONGEST_CAUSE = 80;

const list = defineCommand({
  path: ['events', 'list'],
  summary: 'Shows the events that consumers have given up on, the oldest first',
  operands: { flags: '[topic]', description: `all of them, or one of ${topicNames.join(', ')}` },
  options: {
    workspaceId: optional('--workspace <id>', 'those of a workspace'),
    limit: wholeNumber('--limit <count>', 'how many of a topic', 100),
  },
  run: async (filter, deps, [named]) => {
    const api = deps.deadLetters();
    const items: (ReturnType<typeof facts> & { topic: Topic })[] = [];
    for (const topic of named === undefined ? topicNames : [topicOf(named)])
      for (const letter of (await api.listDeadLetters({ ...filter, topic, ids: [] }, {})).items)
        items.push({ topic, ...facts(letter) });
    const rows = items.map(({ topic, id, group, attempts, at, cause }) => {
      return [topic, id, group, String(attempts), at, cause.slice(0, LONGEST_CAUSE)];
    });
    return { json: { items }, table: { head: ['topic', 'id', 'group', 'attempts', 'given up', 'cause'], rows } };
  },
});

const show = defineCommand({
  path: ['events', 'show'],
  summary: 'Shows one of them whole: what it says, and why it was given up',
  operands: topicOperand,
  options: { id: textOption('--id <id>', 'which one') },
  run: async ({ id }, deps, [named = '']) => {
    const topic = topicOf(named);
    const { items } = await deps.deadLetters().listDeadLetters({ topic, ids: [id], limit: 1 }, {});
    const [found] = items;
    if (!found) throw new CommandRefusal(`no event "${id}" waits in ${topic}`);
    const letter = { topic, ...facts(found), ...content(found) };
    return { json: letter, lines: JSON.stringify(letter, null, 2).split('\n') };
  },
});

const replay = defineCommand({
  path: ['events', 'replay'],
  summary: 'Hands what a consumer has given up on to that consumer once more',
  operands: topicOperand,
  options: { ids },
  run: async (values, deps, [named = '']) => {
    const topic = topicOf(named);
    const { resolved: replayed } = await deps.deadLetters().replayDeadLetters({ topic, ids: [...values.ids] }, {});
    return { json: { topic, replayed }, lines: [`${replayed} events of ${topic} are on their way again.`] };
  },
});

const drop = defineCommand({
  path: ['events', 'drop'],
  summary: 'Throws away for good what a consumer has given up on',
  operands: topicOperand,
  options: { ids, all: flagOption('--all', 'all that there are') },
  run: async ({ all, ...values }, deps, [named = '']) => {
    const topic = topicOf(named);
    if (all === values.ids.length > 0) throw new UsageError('say which: either --id ID or --all');
    const { resolved: dropped } = await deps.deadLetters().dropDeadLetters({ topic, ids: [...values.ids] }, {});
    return { json: { topic, dropped }, lines: [`${dropped} events of ${topic} are gone.`] };
  },
});

export const eventCommands: readonly Command[] = [list, show, replay, drop];

function facts({ id, key, group, cause, attempts, at, occurredAt }: DeadLetter) {
  return { id, key, group, attempts, cause, occurredAt, at };
}

function content({ value }: DeadLetter) {
  try {
    const { workspaceId, data } = Event.decode(value);
    return { workspaceId, data: data?.value ?? null };
  } catch {
    return { workspaceId: null, data: null };
  }
}

function topicOf(named: string): Topic {
  const topic = topicNames.find((name) => name === named);
  if (!topic) throw new UsageError(`there is no topic "${named}"; take one of ${topicNames.join(', ')}`);
  return topic;
}
