import type { Model } from './model.ts';

/** The availability of a model that is a part of the process. */
export const alwaysAvailable: Model['availability'] = { isAvailable: () => true, check: async () => true };
