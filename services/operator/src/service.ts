import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';

/** A pod that waits. An operator runs commands in it (`postroom.ts`), with its addresses. */
export const service = defineService({ name: 'operator', config, open: async () => ({}) });
