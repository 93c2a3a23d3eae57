import type { Bus, BusMessage, UnpublishedMessage } from '@postroom/events/bus';
import type { Topic } from '@postroom/events/topics';

export const topic: Topic = 'email.received';
export const quick = { firstDelayMs: 5, maxDelayMs: 20 };
let runs = 0;

/** Every test marks its messages, because on a real broker they all share the topic. */
export function newRun() {
  const mark = `${process.pid}-${(runs += 1)}`;
  const make = (count: number, keys = 1): UnpublishedMessage[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `${mark}-${at}`,
      key: `mailbox-${mark}-${at % keys}`,
      type: 'email.received',
      occurredAt: new Date(1_790_000_000_000 + at),
      value: Buffer.from(`value ${at}`),
      headers: { mark },
    }));
  const seen: BusMessage[] = [];
  /** Hands on only this test's messages, and notes what was handled. */
  const only = (handler: (message: BusMessage) => Promise<void> = async () => undefined) => {
    return async (message: BusMessage) => {
      if (message.headers['mark'] !== mark) return;
      await handler(message);
      seen.push(message);
    };
  };
  const numbers = () => seen.map((message) => Number(message.id.split('-').pop()));
  return { mark, make, only, seen, numbers, group: (name = 'g') => `${name}-${mark}` };
}

export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

export type GivenBus = () => Bus;
