import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

const { levels, conditions, valueLength, bytes } = bounds.filterTree;
// What is empty comes last: tools that take the first form that fits would take it for any other.
const forms = ['FilterNode', 'EmptyFilter'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

export const filterTreeSchema = {
  description: `A group of nodes, or a condition; \`{}\` means no filter. At most ${levels} levels, ${conditions} conditions, ${valueLength} characters a value and ${bytes} bytes as JSON.`,
  anyOf: forms,
};

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTree = z.unknown().meta(filterTreeSchema);
