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
  PARSE_WORKERS: positive
    .default(2)
    .describe('The threads that parse mail. More than the processor has cores gain nothing.'),
  BODIES_KEPT: duration
    .optional()
    .describe(
      "The time for which an unused body of a provider's message is kept. Without it, bodies are kept for ever.",
    ),
});
