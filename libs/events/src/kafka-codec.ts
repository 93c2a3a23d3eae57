import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { BusMessage, OutgoingMessage } from './bus.ts';

const ID = 'postroom-id';
const TYPE = 'postroom-type';
const OCCURRED_AT = 'postroom-occurred-at';

/** The time of the record is left to the broker: it decides retention, and an old event is not an old record. */
export function toKafka(message: OutgoingMessage): Message {
  return {
    key: message.key,
    value: Buffer.from(message.value.buffer, message.value.byteOffset, message.value.byteLength),
    headers: {
      ...message.headers,
      [ID]: message.id,
      [TYPE]: message.type,
      [OCCURRED_AT]: message.occurredAt.toISOString(),
    },
  };
}

export function fromKafka(message: KafkaMessage): BusMessage {
  const { [ID]: id = '', [TYPE]: type = '', [OCCURRED_AT]: occurredAt, ...headers } = textHeaders(message.headers);
  return {
    id,
    type,
    key: message.key?.toString() ?? '',
    occurredAt: new Date(Date.parse(occurredAt ?? '') || Number(message.timestamp)),
    value: message.value ?? Buffer.alloc(0),
    headers,
  };
}

function textHeaders(headers: IHeaders = {}): Record<string, string> {
  const text: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) text[name] = last.toString();
  }
  return text;
}
