import type { BusMessage, OnSafe } from './bus.ts';

/**
 * Messages that some group has yet to handle: a crash of the process loses them, so their publishers keep them. A group
 * that has given a message up has handled it when the dead letter is dropped, or when a replay of it is handled.
 */
export interface UnhandledMessages {
  add(messages: readonly BusMessage[], groups: Iterable<string>, onSafe: OnSafe): void;
  handled(message: BusMessage, group: string): void;
  gaveUp(message: BusMessage, group: string, letter: BusMessage): void;
  /** Nothing is left to do about a dead letter. */
  finished(letter: BusMessage): void;
}

interface Entry {
  /** Names of groups, and the letters of those that have given the message up. */
  open: Set<string | BusMessage>;
  onSafe: OnSafe;
}

export function createUnhandledMessages(): UnhandledMessages {
  const entries = new Map<BusMessage, Entry>();
  const messageOf = new WeakMap<BusMessage, BusMessage>();

  const close = (message: BusMessage, what: string | BusMessage): void => {
    const entry = entries.get(message);
    if (!entry?.open.delete(what) || entry.open.size > 0) return;
    entries.delete(message);
    entry.onSafe(message.id);
  };
  return {
    add: (messages, groups, onSafe) => {
      const names = [...groups];
      for (const message of messages) {
        if (names.length === 0) onSafe(message.id);
        else entries.set(message, { open: new Set(names), onSafe });
      }
    },
    handled: close,
    gaveUp: (message, group, letter) => {
      const entry = entries.get(message);
      if (!entry?.open.delete(group)) return;
      entry.open.add(letter);
      messageOf.set(letter, message);
    },
    finished: (letter) => {
      const message = messageOf.get(letter);
      if (message) close(message, letter);
    },
  };
}
