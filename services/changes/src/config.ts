import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { positive } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...busFields,
  APPEND_CONCURRENCY: positive.default(500).describe('The events of one type that are appended at once.'),
});
