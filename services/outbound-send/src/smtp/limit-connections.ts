import type { Delivery, DeliverySteps, OutgoingMessage, SmtpServer } from './delivery.ts';

type Deliver = (server: SmtpServer, message: OutgoingMessage, steps: DeliverySteps) => Promise<Delivery>;

/** So many connections to one mail server at once: one that hangs with many mailboxes on it leaves room for the others. */
export function limitConnections(deliver: Deliver, most: number): Deliver {
  const open = new Map<string, number>();
  const count = (key: string, by: number): void => {
    const connections = (open.get(key) ?? 0) + by;
    if (connections === 0) open.delete(key);
    else open.set(key, connections);
  };
  return async (server, message, steps) => {
    const key = `${server.host}:${server.port}`;
    if ((open.get(key) ?? 0) >= most) return refusedHere;
    count(key, 1);
    try {
      return await deliver(server, message, steps);
    } finally {
      count(key, -1);
    }
  };
}

const refusedHere: Delivery = {
  outcome: 'refused',
  reason: 'too many messages are on their way to this mail server',
  isFinal: false,
  isServed: false,
  refused: [],
};
