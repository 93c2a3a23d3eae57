import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Clock } from '@postroom/runtime/clock';
import { createFairLimit } from '@postroom/runtime/fair-limit';

/** An endpoint that takes deliveries may miss so many in a row. One that fails now and then must not wait behind those that never answer. */
const MOST_FAILURES = 2;
/** The time between two attempts at endpoints of the kind, in this process. */
const GAP_MS = { fresh: 10, sick: 100 } as const;

export type EndpointPacing = ReturnType<typeof createPacing>;
export type PacedEndpoint = Pick<WebhookDocument, '_id' | 'workspaceId' | 'failingSince'>;

interface Known {
  takes: boolean;
  /** So many attempts in a row were not taken. */
  failures: number;
}

const UNKNOWN: Known = { takes: false, failures: 0 };

/**
 * Tells which endpoints take deliveries, by their last attempts, and spaces the work for the others. A handshake and its
 * record take milliseconds of the processor, so a thousand of them in one moment would delay every endpoint that answers.
 * The time of an answer says nothing: in a process that is short of its processor all answers are late.
 */
export function createPacing(clock: Pick<Clock, 'sleep'>) {
  const known = new Map<string, Known>();
  // One gap passes at a time. Workspaces take them in rotation, and new endpoints do not wait behind sick ones.
  const gaps = { fresh: createFairLimit({ total: 1 }), sick: createFairLimit({ total: 1 }) };
  const takes = (webhookId: string): boolean => known.get(webhookId)?.takes === true;
  const kindOf = ({ _id, failingSince }: PacedEndpoint) => (known.has(_id) || failingSince ? 'sick' : 'fresh');
  const gap = (kind: keyof typeof gaps, { workspaceId }: PacedEndpoint, signal: AbortSignal): Promise<void> =>
    gaps[kind].run(workspaceId, () => clock.sleep(GAP_MS[kind], signal), { signal });

  return {
    takes,
    forget: (webhookId: string): void => void known.delete(webhookId),

    note: (webhookId: string, { isDelivered }: { isDelivered: boolean }): void => {
      const before = known.get(webhookId) ?? UNKNOWN;
      const failures = isDelivered ? 0 : before.failures + 1;
      known.set(webhookId, { takes: isDelivered || (before.takes && failures <= MOST_FAILURES), failures });
    },

    async beforeAttempt(endpoint: PacedEndpoint, signal: AbortSignal): Promise<void> {
      if (!takes(endpoint._id)) await gap(kindOf(endpoint), endpoint, signal);
    },

    /** Before the reads for an endpoint. A new one may want few events, so that most of its reads lead to no attempt. */
    async beforeReads(endpoint: PacedEndpoint, signal: AbortSignal): Promise<void> {
      if (!takes(endpoint._id) && kindOf(endpoint) === 'sick') await gap('sick', endpoint, signal);
    },
  };
}
