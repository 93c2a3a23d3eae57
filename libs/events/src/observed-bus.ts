import type { Log } from '@postroom/runtime/log';
import type { Histogram, Metrics, MetricReading } from '@postroom/runtime/metrics';
import type { Readiness } from '@postroom/runtime/readiness';
import type { Tracing } from '@postroom/runtime/tracing';
import { type Bus, type Consumer, RetryLater, type Subscription } from './bus.ts';

export interface Observers {
  log: Log;
  metrics?: Metrics;
  tracing?: Tracing;
  readiness?: Readiness;
}

interface Watched {
  consumer: Consumer;
  labels: { group: string; topic: string };
  lag: number;
}

/** The bus with its figures, spans and readiness: the same for every adapter, so the adapters know nothing of them. */
export function observedBus(bus: Bus, { log, metrics, tracing, readiness }: Observers): Bus {
  const watched = new Set<Watched>();
  const seconds = metrics?.histogram('postroom_events_handled_seconds', 'Time a handler took, by how it ended');
  const published = metrics?.counter('postroom_events_published_total', 'Events that the bus acknowledged');
  const failures = {
    retry: metrics?.counter('postroom_events_retries_total', 'Attempts that failed and are made again'),
    'dead letter': metrics?.counter('postroom_events_dead_letters_total', 'Events that a group has given up on'),
  };
  metrics?.gauge('postroom_events_lag', 'Events published and not yet handled', () => lagReadings(watched, log));
  readiness?.add('events', () => {
    const ill = [...watched].filter(({ consumer }) => !consumer.healthy());
    if (ill.length > 0) throw new Error(`${ill.map(({ labels }) => labels.group).join(', ')} being started anew`);
  });

  return {
    ...bus,
    publish: async (topic, messages, onSafe) => {
      await bus.publish(topic, messages, onSafe);
      published?.add(messages.length, { topic });
    },
    subscribe: async (subscription) => {
      const { group, topic } = subscription;
      const onFailure: Subscription['onFailure'] = (next) => failures[next]?.add(1, { group, topic });
      const consumer = await bus.subscribe({ ...timed(subscription, seconds, tracing), onFailure });
      const entry = { consumer, labels: { group, topic }, lag: 0 };
      watched.add(entry);
      return {
        ...consumer,
        close: () => {
          watched.delete(entry);
          return consumer.close();
        },
      };
    },
  };
}

/** The outcomes are made once for each subscription: what is done for every message has to be little. */
function timed(subscription: Subscription, seconds: Histogram | undefined, tracing: Tracing | undefined): Subscription {
  const { topic, group, onMessage } = subscription;
  const labels = (outcome: string) => ({ group, topic, outcome });
  const outcomes = { done: labels('done'), waiting: labels('waiting'), failed: labels('failed') };
  const handle = tracing?.enabled ? inSpan(subscription, tracing) : onMessage;
  return {
    ...subscription,
    onMessage: async (message, work) => {
      const begun = performance.now();
      let outcome: keyof typeof outcomes = 'done';
      try {
        await handle(message, work);
      } catch (error) {
        outcome = error instanceof RetryLater ? 'waiting' : 'failed';
        throw error;
      } finally {
        seconds?.record((performance.now() - begun) / 1000, outcomes[outcome]);
      }
    },
  };
}

function inSpan({ topic, group, onMessage }: Subscription, tracing: Tracing): Subscription['onMessage'] {
  return (message, work) => {
    const attributes = { 'messaging.consumer.group.name': group, 'messaging.message.id': message.id };
    const parent = message.headers['traceparent'];
    return tracing.withSpan(`process ${topic}`, attributes, parent, () => onMessage(message, work), 'consumer');
  };
}

/** The last value known, while a new one is fetched: the metrics page must not hang on a broker that does. */
function lagReadings(watched: ReadonlySet<Watched>, log: Log): MetricReading[] {
  return [...watched].map((entry) => {
    entry.consumer.lag().then(
      (lag) => (entry.lag = lag),
      (error: unknown) => log.debug({ err: error }, 'lag unknown'),
    );
    return { value: entry.lag, labels: entry.labels };
  });
}
