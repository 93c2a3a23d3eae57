import type { EncodedEvent } from '../event.ts';
import { encodeEvent } from '../event.ts';
import type { OutboxStore } from './outbox-store.ts';

interface Document {
  events: Record<string, EncodedEvent>;
  owedSince: number;
  claim?: string;
}

/** Documents with unpublished events, in memory and by the rules of the port, for tests that move the clock. */
export function memoryOutbox() {
  const documents = new Map<string, Document>();
  let claims = 0;
  const store: OutboxStore = {
    name: 'memory',
    count: async (limit) => Math.min(documents.size, limit),
    claim: async (untouchedSince, now, limit) => {
      const due = [...documents].filter(([, { owedSince }]) => owedSince <= untouchedSince.getTime());
      const oldest = due.toSorted(([, one], [, other]) => one.owedSince - other.owedSince).slice(0, limit);
      const claim = `claim ${(claims += 1)}`;
      for (const [, document] of oldest) Object.assign(document, { owedSince: now.getTime(), claim });
      return oldest.map(([ownerId, { events }]) => ({ ownerId, events: { ...events }, claim }));
    },
    touch: async (ownerIds, until) => {
      for (const [ownerId, document] of documents) if (ownerIds.includes(ownerId)) document.owedSince = until.getTime();
    },
    hold: async (claimed, until) => {
      for (const { ownerId, claim } of claimed) {
        const document = documents.get(ownerId);
        if (document && document.claim === claim) document.owedSince = until.getTime();
      }
    },
    release: async (now, untouchedSince) => {
      for (const document of documents.values())
        if (document.claim !== undefined && document.owedSince > now.getTime())
          document.owedSince = untouchedSince.getTime();
    },
    markPublished: async (published) => {
      for (const { ownerId, name, event } of published) {
        const { events } = documents.get(ownerId) ?? { events: {} as Document['events'] };
        if (events[name]?.id === event.id) delete events[name];
        if (Object.keys(events).length === 0) documents.delete(ownerId);
      }
    },
  };
  return {
    store,
    addPending: (ownerId: string, events: Record<string, EncodedEvent>, at: Date) => {
      documents.set(ownerId, { events: { ...events }, owedSince: at.getTime() });
      return { ownerId, events };
    },
    pending: () => [...documents.keys()],
  };
}

const facts = { workspaceId: 'wsp_1', occurredAt: new Date(0) };

export function received(id: string): EncodedEvent {
  const data = { emailId: id, mailboxId: 'mbx_1', folderType: 'INBOX' };
  return encodeEvent({ ...facts, id, type: 'email.received', data });
}

export function deleted(id: string): EncodedEvent {
  return encodeEvent({ ...facts, id, type: 'email.deleted', data: { emailId: id, mailboxId: 'mbx_1' } });
}
