import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { duration, positive } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...operatorPortFields,
  ...busFields,
  /** Threads that take mail apart; more than the processor has cores gain nothing. */
  PARSE_WORKERS: positive.default(2),
  /** The time for which an unused body of a provider's message is kept; for ever unless set. */
  BODIES_KEPT: duration.optional(),
});
