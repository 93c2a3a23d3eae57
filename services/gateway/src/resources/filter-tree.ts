import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

const { levels, conditions, valueLength, bytes } = bounds.filterTree;
const description = `A group of nodes, or a condition; \`{}\` means no filter. At most ${levels} levels, ${conditions} conditions, ${valueLength} characters a value and ${bytes} bytes as JSON.`;
const treeOf = (node: string) => ({
  type: 'object' as const,
  description,
  anyOf: [{ type: 'object' as const, maxProperties: 0 }, { $ref: `#/components/schemas/${node}` }],
});

/** The grammar belongs to the services that evaluate it: they name the path of a fault, so here any JSON may pass. */
export const filterTreeSchema = treeOf('FilterNode');
export const filterTree = z.unknown().meta(filterTreeSchema);
export const savedFilterTree = z.unknown().meta(treeOf('SavedFilterNode'));
