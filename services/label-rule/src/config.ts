import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { address } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...busFields,
  MAILBOX_WRITE_ADDR: address,
  VIEW_FILTER_ADDR: address,
});
