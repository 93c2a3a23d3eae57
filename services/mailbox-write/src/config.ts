import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { port, positive, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  HOST: text.default('0.0.0.0'),
  GRPC_PORT: port.default(50051),
  ...busFields,
  /** Threads that take mail apart; more than the processor has cores gain nothing. */
  PARSE_WORKERS: positive.default(2),
});
