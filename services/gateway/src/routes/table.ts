import type { Route } from '../route.ts';
import { labelRoutes } from './labels.ts';

/** Every endpoint that needs a key, the busiest first: Express looks for a route from the top. */
export const routes: readonly Route[] = [...labelRoutes];
