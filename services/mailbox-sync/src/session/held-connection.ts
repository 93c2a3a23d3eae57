import type { ImapConnection } from '../imap/imap-connection.ts';
import { LeaseLost } from '../leases/lease-lost.ts';

/**
 * A process that stood still for longer than its lease does not know its successor yet. So it checks the clock before each
 * change at the provider, where no fencing token would stop it.
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
