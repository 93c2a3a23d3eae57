import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { z } from 'zod';

export const config = z.object({ ...storeFields, ...serverFields, ...operatorPortFields });
