import type { Entity } from './entity.ts';
import { type MessageBounds, messageBounds } from './message-bounds.ts';
import { openMessage } from './open-message.ts';
import { type Attachment, describeEntity, readContent } from './parts.ts';

export interface AttachedPart extends Attachment {
  entity: Entity;
}

/** A message for whoever passes on what is in it: its parts where they stand. */
export interface Original {
  /** All positions are meant in these bytes. */
  raw: Buffer;
  /** The whole of it, below its header. */
  entity: Entity;
  attached: AttachedPart[];
}

export function readOriginal(message: Buffer, limits: MessageBounds = messageBounds): Original {
  const { raw, header, bodyStart } = openMessage(message, limits);
  const entity = describeEntity(header, bodyStart, raw.length);
  // Its text is not asked for.
  const { attachments, entities } = readContent(raw, entity, { ...limits, textBytes: 0 });
  return { raw, entity, attached: attachments.map((one, at) => ({ ...one, entity: entities[at] as Entity })) };
}
