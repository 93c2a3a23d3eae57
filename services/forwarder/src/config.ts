import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { address, positive } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...busFields,
  LABEL_RULE_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  FORWARD_CONCURRENCY: positive.default(32).describe('The number of emails in forwarding at once.'),
});
