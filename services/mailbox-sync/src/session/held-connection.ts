import type { ImapConnection } from '../imap/imap-connection.ts';
import { LeaseLost } from '../leases/lease-lost.ts';

/**
 * Whoever stood still for longer than its lease does not know yet that somebody else has the mailbox: it looks at the
 * clock before it changes anything at the provider, where no epoch would stop it.
 */
export function heldConnection(connection: ImapConnection, isHeld: () => boolean): ImapConnection {
  const assertHeld = () => {
    if (!isHeld()) throw new LeaseLost();
  };
  return {
    ...connection,
    setFlag: async (...asked) => (assertHeld(), connection.setFlag(...asked)),
    move: async (...asked) => (assertHeld(), connection.move(...asked)),
    remove: async (...asked) => (assertHeld(), connection.remove(...asked)),
    append: async (...asked) => (assertHeld(), connection.append(...asked)),
  };
}
