import type { HostileMaker } from './compose.ts';
import { hostileHeaders } from './hostile-headers.ts';
import { hostileStructures } from './hostile-structures.ts';
import { hostileTexts } from './hostile-texts.ts';

/** Messages that broke somebody's parser once, or were made to. */
export const hostileMessages: readonly HostileMaker[] = [...hostileStructures, ...hostileHeaders, ...hostileTexts];
