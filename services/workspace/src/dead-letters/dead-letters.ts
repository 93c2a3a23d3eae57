import { refuse } from '@postroom/errors/refuse';
import type { Bus, OnSafe } from '@postroom/events/bus';
import { replayOf } from '@postroom/events/dead-letter';
import { type Topic, topicNames } from '@postroom/events/topics';
import type { DeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import type { DeadLetterDocument } from '@postroom/mail-store/documents/dead-letter';
import { bufferOf } from '@postroom/mail-store/stored-bytes';
import type { DeadLetter, DeadLetterServiceDefinition } from '@postroom/proto/postroom/v1/dead_letters';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';

export interface DeadLetterDeps {
  deadLetters: DeadLetterStore;
  bus: Pick<Bus, 'publish'>;
  context: ServiceContext;
}

/** On the in-process bus a replay ends when its group has handled the event. */
const REPLAY_MS = 10 * 60_000;
const PUBLISHED_AT_ONCE = 500;

/** The calls of operators about dead letters. */
export function deadLetterHandlers(deps: DeadLetterDeps): Handlers<DeadLetterServiceDefinition> {
  const { deadLetters, context } = deps;
  const now = () => context.clock.date();
  return {
    listDeadLetters: async ({ topic, ids, workspaceId, limit }) => {
      const filter = { topic: topicOf(topic), ids: orAll(ids), workspaceId, until: now() };
      return { items: (await deadLetters.list(filter, now(), limit)).map(toMessageDeadLetter) };
    },
    replayDeadLetters: async ({ topic, ids }) => ({ resolved: await replay(topicOf(topic), orAll(ids), deps) }),
    dropDeadLetters: async ({ topic, ids }) => {
      const filter = { topic: topicOf(topic), ids: orAll(ids), until: now() };
      return { resolved: await deadLetters.drop(filter, now()) };
    },
  };
}

async function replay(topic: Topic, ids: readonly string[] | undefined, deps: DeadLetterDeps): Promise<number> {
  const { deadLetters, context } = deps;
  const now = context.clock.date();
  const replay = { replayId: context.ids('rpl'), replayUntil: new Date(now.getTime() + REPLAY_MS) };
  const letters = await deadLetters.claim({ topic, ids, until: now }, replay, now);
  try {
    for (const group of new Set(letters.map((letter) => letter.group)))
      await publish(
        topic,
        letters.filter((letter) => letter.group === group),
        deps,
      );
  } catch (error) {
    await deadLetters.endReplay(replay.replayId);
    throw error;
  }
  return letters.length;
}

/** The letters of one group: an event is one letter of it at most. */
async function publish(topic: Topic, letters: readonly DeadLetterDocument[], deps: DeadLetterDeps): Promise<void> {
  const { deadLetters, bus, context } = deps;
  const letterOf = new Map(letters.map((letter) => [letter.eventId, letter]));
  const onSafe: OnSafe = (id) => {
    const letter = letterOf.get(id);
    const failed = (error: unknown) =>
      context.log.warn({ err: error }, 'replayed dead letter not removed; it is listed again');
    if (letter) void deadLetters.removeReplayed(letter).catch(failed);
  };
  const messages = letters.map((letter) =>
    replayOf({ ...letter, value: bufferOf(letter.value), topic, id: letter.eventId }),
  );
  for (let from = 0; from < messages.length; from += PUBLISHED_AT_ONCE)
    await bus.publish(topic, messages.slice(from, from + PUBLISHED_AT_ONCE), onSafe);
}

const orAll = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids);

function topicOf(named: string): Topic {
  const topic = topicNames.find((name) => name === named);
  return topic ?? refuse('topic', `must be one of ${topicNames.join(', ')}`);
}

function toMessageDeadLetter(letter: DeadLetterDocument): DeadLetter {
  const { eventId, occurredAt, givenUpAt, key, value, group, cause, attempts } = letter;
  const facts = { key, group, cause, attempts, value: bufferOf(value) };
  return { id: eventId, occurredAt: occurredAt.toISOString(), at: givenUpAt.toISOString(), ...facts };
}
