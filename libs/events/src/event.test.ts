import { describe, expect, it } from '@jest/globals';
import { decodeEvent, encodeEvent, UnreadableEvent } from './event.ts';
import { eventTable, eventTypes } from './event-table.ts';

const facts = { id: 'evt_1', workspaceId: 'wsp_1', occurredAt: new Date('2026-01-02T03:04:05.678Z') };

describe('an event', () => {
  it('comes back as it was encoded, keyed by its mailbox', () => {
    const data = { emailId: 'eml_1', mailboxId: 'mbx_1', labelIds: ['lbl_1', 'lbl_2'] };
    const event = { ...facts, type: 'email.classified' as const, data };
    const encoded = encodeEvent(event);
    expect(encoded).toMatchObject({
      id: 'evt_1',
      type: 'email.classified',
      key: 'mbx_1',
      occurredAt: facts.occurredAt,
    });
    expect(decodeEvent('email.classified', encoded)).toEqual(event);
  });

  it('of another type, or no event at all, is refused', () => {
    const deleted = encodeEvent({ ...facts, type: 'email.deleted', data: { emailId: 'e', mailboxId: 'm' } });
    expect(() => decodeEvent('email.received', deleted)).toThrow('not an event of the type email.received');
    expect(() => decodeEvent('email.received', { value: Buffer.alloc(0) })).toThrow(UnreadableEvent);
    expect(() => decodeEvent('email.received', { value: Buffer.from([255, 255, 255]) })).toThrow(UnreadableEvent);
  });

  it('has a case of its own in the proto, for every type there is', () => {
    const cases = eventTypes.map((type) => eventTable[type].case);
    expect(new Set(cases).size).toBe(eventTypes.length);
  });
});
