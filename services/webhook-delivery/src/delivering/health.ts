import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Clock } from '@postroom/runtime/clock';
import { createFairLimit } from '@postroom/runtime/fair-limit';

/** An answer that takes longer counts as none. */
const SLOW_MS = 1_000;
/** An endpoint that answers may miss so many in a row. One that fails now and then must not wait behind those that never answer. */
const MOST_MISSES = 2;
/** The time between two attempts at endpoints of the kind, in this process. */
const GAP_MS = { fresh: 10, sick: 25 } as const;

export type EndpointHealth = ReturnType<typeof createHealth>;
export type PacedEndpoint = Pick<WebhookDocument, '_id' | 'workspaceId' | 'failingSince'>;

interface Health {
  kind: 'well' | 'sick';
  /** So many attempts in a row had no answer in good time. */
  misses: number;
  /** It takes deliveries, in good time or not. */
  takes: boolean;
  /** So many attempts in a row were not taken. */
  failures: number;
}

const UNKNOWN: Health = { kind: 'sick', misses: 0, takes: false, failures: 0 };

/**
 * Tells which endpoints answer, by their last attempts, and spaces the work for the others. A handshake and its record
 * take milliseconds of the processor, so a thousand of them in one moment would delay every endpoint that answers.
 */
export function createHealth(clock: Pick<Clock, 'sleep'>) {
  const known = new Map<string, Health>();
  // One gap passes at a time. Workspaces take them in rotation, and new endpoints do not wait behind sick ones.
  const gaps = { fresh: createFairLimit({ total: 1 }), sick: createFairLimit({ total: 1 }) };
  const of = ({ _id, failingSince }: PacedEndpoint) => known.get(_id)?.kind ?? (failingSince ? 'sick' : 'fresh');
  const gap = (kind: keyof typeof gaps, { workspaceId }: PacedEndpoint, signal: AbortSignal): Promise<void> =>
    gaps[kind].run(workspaceId, () => clock.sleep(GAP_MS[kind], signal), { signal });

  return {
    isWell: (webhookId: string): boolean => known.get(webhookId)?.kind === 'well',
    /** A slow endpoint would fall behind for ever if its attempts were made one after the other. */
    takes: (webhookId: string): boolean => known.get(webhookId)?.takes === true,
    forget: (webhookId: string): void => void known.delete(webhookId),

    note: (webhookId: string, { isDelivered, durationMs }: { isDelivered: boolean; durationMs: number }): void => {
      const before = known.get(webhookId) ?? UNKNOWN;
      const [misses, failures] = [before.misses + 1, before.failures + 1];
      const takes = isDelivered || (before.takes && failures <= MOST_MISSES);
      const taken = { takes, failures: isDelivered ? 0 : failures };
      if (isDelivered && durationMs < SLOW_MS) known.set(webhookId, { kind: 'well', misses: 0, ...taken });
      else known.set(webhookId, { kind: misses > MOST_MISSES ? 'sick' : before.kind, misses, ...taken });
    },

    async beforeAttempt(endpoint: PacedEndpoint, signal: AbortSignal): Promise<void> {
      const kind = of(endpoint);
      if (kind !== 'well') await gap(kind, endpoint, signal);
    },

    /** Before the reads for an endpoint. A new one may want few events, so that most of its reads lead to no attempt. */
    async beforeReads(endpoint: PacedEndpoint, signal: AbortSignal): Promise<void> {
      if (of(endpoint) === 'sick') await gap('sick', endpoint, signal);
    },
  };
}
