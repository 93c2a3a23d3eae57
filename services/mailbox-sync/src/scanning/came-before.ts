import type { MessageFacts } from '../imap/imap-connection.ts';

/** Mail from before a moment is history: it is stored without an event. */
export function cameBefore(moment: Date) {
  return ({ internalDate }: Pick<MessageFacts, 'internalDate'>): boolean =>
    internalDate !== null && internalDate < moment;
}
