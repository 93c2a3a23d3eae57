import { mongoUri, port, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  MONGODB_URI: mongoUri,
  HOST: text.default('0.0.0.0'),
  GRPC_PORT: port.default(50051),
});
