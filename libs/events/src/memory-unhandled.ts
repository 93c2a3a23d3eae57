import type { BusMessage, OnSafe } from './bus.ts';

/** Messages that some group has yet to handle. A crash of the process loses them, so their publishers keep them. */
interface UnhandledMessages {
  add(messages: readonly BusMessage[], groups: Iterable<string>, onSafe: OnSafe): void;
  handled(message: BusMessage, group: string): void;
}

export function createUnhandledMessages(): UnhandledMessages {
  const entries = new Map<BusMessage, { groups: Set<string>; onSafe: OnSafe }>();
  return {
    add: (messages, groups, onSafe) => {
      const names = [...groups];
      for (const message of messages) {
        if (names.length === 0) onSafe(message.id);
        else entries.set(message, { groups: new Set(names), onSafe });
      }
    },
    handled: (message, group) => {
      const entry = entries.get(message);
      if (!entry?.groups.delete(group) || entry.groups.size > 0) return;
      entries.delete(message);
      entry.onSafe(message.id);
    },
  };
}
