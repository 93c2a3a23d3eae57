import type { OutgoingMessage } from '@postroom/events/bus';
import type { OwedEvent } from '@postroom/mail-store/documents/email';
import { Event } from '@postroom/proto/postroom/v1/events';
import type { Owing } from './owed-store.ts';

/** The name of an event's data in the proto, by its type, which is also the name of its topic. */
const CASES = {
  'email.received': 'emailReceived',
  'email.updated': 'emailUpdated',
  'email.deleted': 'emailDeleted',
  'label.applied': 'labelApplied',
} as const satisfies Record<OwedEvent['type'], NonNullable<Event['data']>['$case']>;

/** An owed event as the bus carries it: keyed by mailbox, with the id it has had since it was written. */
export function toMessage(
  { workspaceId, mailboxId }: Owing,
  { id, type, occurredAt, data }: OwedEvent,
): OutgoingMessage {
  const event = Event.fromPartial({
    id,
    workspaceId,
    occurredAt: occurredAt.toISOString(),
    // What stands in the document was made for this very message; its type is only known by its name.
    data: { $case: CASES[type], value: { mailboxId, ...data } } as never,
  });
  return { id, key: mailboxId, type, occurredAt, value: Event.encode(event).finish() };
}
