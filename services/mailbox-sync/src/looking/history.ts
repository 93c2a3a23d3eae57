import type { MessageFacts } from '../imap/imap-connection.ts';

/** Mail of before a moment is history: it is stored, and nobody is told of it. */
export function cameBefore(moment: Date) {
  return ({ internalDate }: Pick<MessageFacts, 'internalDate'>): boolean =>
    internalDate !== null && internalDate < moment;
}
