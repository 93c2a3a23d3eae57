import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

const { levels, conditions, valueLength, bytes } = bounds.filterTree;
// EmptyFilter comes last: tools that use the first matching schema would use it for every filter.
const forms = ['FilterNode', 'EmptyFilter'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

export const filterTreeSchema = {
  description: `A group of nodes, or a condition; \`{}\` means no filter. At most ${levels} levels, ${conditions} conditions, ${valueLength} characters a value and ${bytes} bytes as JSON.`,
  anyOf: forms,
};

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTree = z.unknown().meta(filterTreeSchema);
