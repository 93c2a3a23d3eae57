import { storeFields } from '@postroom/mail-store/store-fields';
import { port, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  HOST: text.default('0.0.0.0'),
  GRPC_PORT: port.default(50051),
});
