import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { BusMessage, UnpublishedMessage } from './bus.ts';

const ID = 'postroom-id';
const TYPE = 'postroom-type';
const OCCURRED_AT = 'postroom-occurred-at';

/** The time of the record is left to the broker: it decides retention, and an old event is not an old record. */
export function toKafka(message: UnpublishedMessage): Message {
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

export function fromKafka({ key, value, timestamp, headers = {} }: KafkaMessage): BusMessage {
  const others: Record<string, string> = {};
  const ours = { [ID]: '', [TYPE]: '', [OCCURRED_AT]: '' };
  for (const name of Object.keys(headers)) {
    const text = lastOf(headers[name])?.toString();
    if (text === undefined) continue;
    if (name in ours) ours[name as keyof typeof ours] = text;
    else others[name] = text;
  }
  return {
    id: ours[ID],
    type: ours[TYPE],
    key: key?.toString() ?? '',
    occurredAt: new Date(Date.parse(ours[OCCURRED_AT]) || Number(timestamp)),
    value: value ?? Buffer.alloc(0),
    headers: others,
  };
}

const lastOf = (value: IHeaders[string]) => (Array.isArray(value) ? value.at(-1) : value);
