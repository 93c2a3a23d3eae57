import { addresses, mongoUri, port, positive, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  MONGODB_URI: mongoUri,
  HOST: text.default('0.0.0.0'),
  GRPC_PORT: port.default(50051),
  KAFKA_BROKERS: addresses.optional(),
  /** Threads that take mail apart; more than the processor has cores gain nothing. */
  PARSE_WORKERS: positive.default(2),
});
