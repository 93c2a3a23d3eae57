import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';

/** A pod that waits: an operator runs commands in it (`postroom.ts`), with the addresses it was given. */
export const service = defineService({ name: 'operator', config, open: async () => ({}) });
